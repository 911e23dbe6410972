import { isSigned, readStatement, Signer, type OwnFigures } from './statement.ts';

const figures = (more: Partial<OwnFigures> = {}): OwnFigures => ({
  isReady: true,
  tip: { height: 3_500_000, id: 'ab'.repeat(32), work: 2n ** 100n + 7n },
  ...more,
});

/** Returns the text with one bit of a byte changed. */
function changed(text: string, byte: number): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[byte] = (bytes[byte] ?? 0) ^ 1;
  return bytes.toString('base64url');
}

test('what is read is what was signed', () => {
  const signer = new Signer();
  const statement = signer.sign(figures({ isReady: false }));
  expect(statement.text).toHaveLength(215);
  expect(readStatement(statement.text)).toEqual(statement);
  expect(isSigned(statement)).toBe(true);
  expect(statement).toMatchObject({ id: signer.id, number: 1, ...figures({ isReady: false }) });
  expect(signer.sign(figures()).number).toBe(2);
});

test('a process has a key of its own', () => {
  const [one, two] = [new Signer(), new Signer()];
  expect(one.id).toMatch(/^[0-9a-f]{64}$/);
  expect(two.id).not.toBe(one.id);
});

test('no byte of a statement can be changed', () => {
  const { text } = new Signer().sign(figures());
  for (let byte = 0; byte < 161; byte++) {
    const read = readStatement(changed(text, byte));
    expect([byte, read !== undefined && isSigned(read)]).toEqual([byte, false]);
  }
});

test('nobody signs for another key', () => {
  const [liar, victim] = [new Signer(), new Signer()];
  const bytes = Buffer.from(liar.sign(figures()).text, 'base64url');
  bytes.write(victim.id, 'hex');
  const forged = readStatement(bytes.toString('base64url'));
  expect(forged?.id).toBe(victim.id);
  expect(forged && isSigned(forged)).toBe(false);
});

test.each([
  ['nothing', undefined],
  ['a number', 7],
  ['a short text', 'A'.repeat(214)],
  ['a long text', 'A'.repeat(216)],
  ['other characters', '='.repeat(215)],
  ['neither ready nor not', '_'.repeat(215)],
])('%s is no statement', (_what, text) => {
  expect(readStatement(text)).toBeUndefined();
});

test('a key that is no point of the curve has signed nothing', () => {
  const bytes = Buffer.from(new Signer().sign(figures()).text, 'base64url');
  bytes.fill(0xff, 0, 32);
  const read = readStatement(bytes.toString('base64url'));
  expect(read && isSigned(read)).toBe(false);
});

test('work of more than 16 bytes is not signed', () => {
  const tip = { height: 1, id: 'ab'.repeat(32), work: 2n ** 128n };
  expect(() => new Signer().sign(figures({ tip }))).toThrow(RangeError);
});
