import { checkFit, UnfitStreamError } from './fit-stream.ts';

/** Returns the advice about a stream that takes other subjects than the one wanted. */
function adviceWith(subjects: readonly string[]): string {
  const settings = {
    subjects,
    retention: 'limits',
    maxMessageBytes: undefined,
    isSilent: false,
    isSealed: false,
  };
  try {
    checkFit('S', settings, ['wanted']);
  } catch (error) {
    if (error instanceof UnfitStreamError) return error.advice;
  }
  return '';
}

test('the advice on missing subjects names all of them, or no command', () => {
  expect(adviceWith(['a', 'b', 'c', 'd', 'e'])).toContain("--subjects 'a,b,c,d,e,wanted';");
  // A shell would take other quotes for the end.
  expect(adviceWith(["a';reboot'"])).not.toContain('--subjects');
  expect(adviceWith(['a', 'b', 'c', 'd', 'e', 'f'])).not.toContain('--subjects');
});
