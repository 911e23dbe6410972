import { NewestCall } from './newest-call.ts';

let seen: string[];
let calls: NewestCall;
beforeEach(() => {
  seen = [];
  calls = new NewestCall();
});

/** Makes a call, and returns what answers or fails it. */
function open(name: string) {
  let answer: (text: string) => void = () => undefined;
  let fail: (error: Error) => void = answer as never;
  const call = new Promise<string>((resolve, reject) => ([answer, fail] = [resolve, reject]));
  const ended = calls.run(() => call, {
    done: (result) => seen.push(`${name} ${result}`),
    failed: (error) => seen.push(`${name} ${(error as Error).message}`),
    ended: () => seen.push(`${name} ended`),
  });
  return {
    answer: (text: string): Promise<void> => {
      answer(text);
      return ended;
    },
    fail: (text: string): Promise<void> => {
      fail(new Error(text));
      return ended;
    },
  };
}

test('an answer and a failure are passed on', async () => {
  await open('a').answer('yes');
  await open('b').fail('no');
  expect(seen).toEqual(['a yes', 'a ended', 'b no', 'b ended']);
});

test('what comes of an older call is dropped', async () => {
  const [a, b, c] = [open('a'), open('b'), open('c')];
  await a.answer('late');
  await c.answer('yes');
  await b.fail('late');
  expect(seen).toEqual(['c yes', 'c ended']);
});
