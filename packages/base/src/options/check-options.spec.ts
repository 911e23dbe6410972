import {
  checkArgument,
  checkOptions,
  NEEDED,
  OPTIONAL,
  optionalNames,
  OptionError,
  type OptionTable,
} from './index.ts';

interface Place {
  readonly account: number;
  readonly index?: number;
}

interface PaintOptions {
  readonly color: 'red' | 'green';
  readonly brush?: object;
  readonly at?: Place | undefined;
}

const PLACE: OptionTable<Place> = { account: NEEDED, index: OPTIONAL };
const PAINT: OptionTable<PaintOptions> = {
  color: { choices: ['red', 'green'] },
  brush: OPTIONAL,
  at: { optional: true, table: PLACE },
};

const paint = (options: unknown): void => checkOptions('paint', options as PaintOptions, PAINT);

test.each([
  [{ color: 'red' }],
  [{ color: 'green', brush: new Map(), at: undefined }],
  [{ color: 'red', brush: undefined, at: { account: 1 } }],
  [{ color: 'red', at: { account: 0, index: undefined } }],
])('takes %j', (options) => {
  expect(() => paint(options)).not.toThrow();
});

test.each<[unknown, string, string, string]>([
  [
    { color: 'red', brushes: 5 },
    'unknown-option',
    'brushes',
    'paint: no option "brushes"; there are color, brush, at',
  ],
  [
    { color: 'red', at: { account: 1, minor: 2 } },
    'unknown-option',
    'at.minor',
    'paint: no option "minor" in at; there are account, index',
  ],
  [{}, 'missing-option', 'color', 'paint: color is missing; it can be "red", "green"'],
  [{ color: 'red', at: {} }, 'missing-option', 'at.account', 'paint: at.account is missing'],
  [{ color: 'blue' }, 'bad-option', 'color', 'paint: color is "blue"; it can be "red", "green"'],
  [{ color: null }, 'bad-option', 'color', 'paint: color is null; it can be "red", "green"'],
  [{ color: 'red', at: 5 }, 'bad-option', 'at', 'paint: at is a number, not an object'],
  [{ color: 'red', at: null }, 'bad-option', 'at', 'paint: at is null, not an object'],
  [undefined, 'bad-option', '', 'paint: its options are undefined, not an object'],
  ['red', 'bad-option', '', 'paint: its options are a string, not an object'],
])('refuses %j', (options, code, option, message) => {
  expect(() => paint(options)).toThrow(
    expect.objectContaining({ name: 'OptionError', code, option, message }) as Error,
  );
});

test('an error names the choices, and is a TypeError', () => {
  const error = (() => {
    try {
      paint({ color: 'blue' });
    } catch (thrown) {
      return thrown;
    }
    return undefined;
  })();
  expect(error).toBeInstanceOf(OptionError);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ choices: ['red', 'green'] });
});

test('names that every object has are unknown too, and long values are cut', () => {
  expect(() => paint(JSON.parse('{"color":"red","__proto__":1}'))).toThrow('no option "__proto__"');
  expect(() => paint({ color: 'red', constructor: 1 })).toThrow('no option "constructor"');
  expect(() => paint({ color: 'x'.repeat(1000) })).toThrow(`"${'x'.repeat(40)}…"`);
});

test('a secret in a wrong place is not repeated', () => {
  const error = (): void => paint({ color: Uint8Array.of(222, 173) });
  expect(error).toThrow('color is an object; it can be');
  const message = 'paint: at is a string, not an object';
  expect(() => paint({ color: 'red', at: 'me:secret' })).toThrow(new TypeError(message));
});

test('an argument is checked like an option', () => {
  const rule = { choices: [1, 2], optional: true } as const;
  expect(() => checkArgument('wash', 'times', undefined, rule)).not.toThrow();
  expect(() => checkArgument('wash', 'times', 3, rule)).toThrow('wash: times is 3; it can be 1, 2');
});

test('a table of defaults names options that may be absent', () => {
  const table: OptionTable<{ a?: number; b?: string }> = optionalNames({ a: 1, b: '' });
  expect(() => checkOptions('sum', {}, table)).not.toThrow();
  expect(() => checkOptions('sum', JSON.parse('{"c":1}') as object, table)).toThrow(OptionError);
});
