import fc from 'fast-check';
import { DecodeError } from '../errors.ts';
import type { JsonValue } from './json-parser.ts';
import { parseJson64, stringifyJson64 } from './json64.ts';

/** Returns what Node reads; undefined for text that it refuses, or that has a number which it reads as infinite. */
function parsedByNode(text: string): unknown {
  let isFinite = true;
  const note = (_: string, value: unknown): unknown => {
    if (value === Infinity || value === -Infinity) isFinite = false;
    return value;
  };
  try {
    const value: unknown = JSON.parse(text, note);
    return isFinite ? value : undefined;
  } catch {
    return undefined;
  }
}

describe('parseJson64', () => {
  test('keeps integers of any size', () => {
    const value = parseJson64(
      '[9007199254740991, 9007199254740992, 18446744073709551615, -9007199254740993]',
    );
    expect(value).toEqual([
      9007199254740991,
      9007199254740992n,
      18446744073709551615n,
      -9007199254740993n,
    ]);
  });

  test('reads other numbers as doubles', () => {
    expect(parseJson64('[1.5, 1e3, -0, 1E-2, 0]')).toEqual([1.5, 1000, -0, 0.01, 0]);
  });

  /** Documents without 16 digits in a row, which could be an integer that JSON.parse rounds. */
  const smallJson = fc.json().filter((text) => !/\d{16}/.test(text));

  test('agrees with JSON.parse on any document without large integers', () => {
    fc.assert(
      fc.property(smallJson, fc.nat(3), (text, indent) => {
        const expected: unknown = JSON.parse(text);
        const spaced = JSON.stringify(expected, null, indent);
        expect(parseJson64(spaced)).toEqual(JSON.parse(spaced));
        expect(parseJson64(new TextEncoder().encode(spaced))).toEqual(JSON.parse(spaced));
      }),
    );
  });

  test('refuses what JSON.parse refuses and numbers beyond the doubles, and no other text', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '01',
      '-',
      '.5',
      'tru',
      'null',
      '\\',
      ' ',
      '\t',
      '"\\u00g0"',
      '"\\x"',
      '\u0000',
      '1.',
      '1e',
      '\u00a0',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 7 }), (parts) => {
        const text = parts.join('');
        const expected = parsedByNode(text);
        if (expected === undefined) expect(() => parseJson64(text)).toThrow(DecodeError);
        else expect(parseJson64(text)).toEqual(expected);
      }),
      { numRuns: 3000, examples: [[['1e', '1', '01', '01']]] },
    );
  });

  test('reads names of the object prototype as ordinary members', () => {
    const value = parseJson64('{"__proto__": 1, "constructor": 2, "a": 3, "a": 4}') as Record<
      string,
      JsonValue
    >;
    expect(Object.entries(value)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['a', 4],
    ]);
    expect((parseJson64('{}') as Record<string, JsonValue>)['toString']).toBeUndefined();
  });

  test('refuses deep nesting, long integers, infinite numbers and bytes that are not UTF-8', () => {
    expect(() => parseJson64('['.repeat(200000))).toThrow(DecodeError);
    expect(parseJson64('['.repeat(100) + ']'.repeat(100))).toBeInstanceOf(Array);
    expect(() => parseJson64('['.repeat(102) + ']'.repeat(102))).toThrow(DecodeError);
    expect(() => parseJson64('9'.repeat(100000))).toThrow(DecodeError);
    expect(() => parseJson64('1e999')).toThrow(DecodeError);
    expect(() => parseJson64(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(DecodeError);
  });
});

describe('stringifyJson64', () => {
  test('prints bigints as integers', () => {
    expect(
      stringifyJson64({ a: 18446744073709551615n, b: [1, -2n, 'x"\n', null, true, 0.5] }),
    ).toBe('{"a":18446744073709551615,"b":[1,-2,"x\\"\\n",null,true,0.5]}');
  });

  test('agrees with JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringifyJson64(value as JsonValue)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('refuses numbers that are not finite', () => {
    expect(() => stringifyJson64(NaN)).toThrow(RangeError);
    expect(() => stringifyJson64([Infinity])).toThrow(RangeError);
  });
});
