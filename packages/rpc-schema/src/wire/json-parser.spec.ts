import { parseWireJson, parseWireJsonSteps } from './json-parser.ts';
import { JsonParseError } from './json-scanner.ts';
import { WireDouble, type WireValue } from './value.ts';

const parse = (text: string): unknown => plain(parseWireJson(Buffer.from(text, 'latin1')));

/** Maps as objects and strings as text, for comparison. */
function plain(value: WireValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (Array.isArray(value)) return value.map(plain);
  return value;
}

// The recorded calls cover monerod's answers; these are the cases that they don't show.
describe('lenient JSON', () => {
  test('integers keep all 64 bits', () => {
    expect(
      parse('{"a":18446744073709551615,"b":-9223372036854775808,"c":9007199254740993}'),
    ).toEqual({
      a: 18446744073709551615n,
      b: -9223372036854775808n,
      c: 9007199254740993n,
    });
    expect(parse('{"a":000000000000000000000000000000012}')).toEqual({ a: 12 });
  });

  test('distinguishes floating point numbers from integers', () => {
    expect(parse('{"a":7.0,"b":1e3}')).toEqual({ a: new WireDouble(7), b: new WireDouble(1000) });
  });

  test('escapes, surrogates one by one, raw bytes', () => {
    expect(parse('{"a":"\\u00e9\\ud83d\\n\\/\xff\x00"}')).toEqual({
      a: '\xc3\xa9\xed\xa0\xbd\n/\xff\x00',
    });
  });

  test('escapes of one character', () => {
    expect(parse('{"a":"\\b\\f\\n\\r\\t\\v\\"\\\\\\/\\\'"}')).toEqual({ a: '\b\f\n\r\t\v"\\/\'' });
  });

  test.each(['q', 'a', '0', 'x41', 'U0041', ' '])(
    'an unknown escape is refused: \\%s',
    (escape) => {
      expect(() => parse(`{"a":"\\${escape}"}`)).toThrow(JsonParseError);
    },
  );

  test('nulls and empty arrays are absent', () => {
    expect(parse('{"a":null,"b":[],"c":{}}')).toEqual({ c: {} });
  });

  test.each(['[{},"x"]', '["x",{}]', '["x",1]', '[1,true]', '[1,-1]', '[1,1.5]', '[{},{},"x"'])(
    'an array that mixes kinds is refused: %s',
    (array) => {
      expect(() => parse(`{"a":${array}`)).toThrow(/mixed kinds/);
    },
  );

  test('names of JavaScript object properties are ordinary names', () => {
    const object = parseWireJson(Buffer.from('{"__proto__":{"x":1},"constructor":2}'));
    expect([...object.keys()]).toEqual(['__proto__', 'constructor']);
  });

  test('a hundred thousand braces are refused quickly', () => {
    expect(() => parse('{"a":'.repeat(100_000))).toThrow(JsonParseError);
    expect(() => parse('[{'.repeat(100_000))).toThrow(JsonParseError);
    expect(() => parse(`{"a":[${'{},'.repeat(100_000)}{}]}`)).toThrow('too many objects');
  });

  test('whatever the bytes, the result is an object or a JsonParseError', () => {
    let state = 1;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const seeds = [
      '{"jsonrpc":"2.0","id":[1,2.5e3,-7],"method":"x","params":{"a":[{"b":"\\u00e9"}],"c":true}}',
      '{"a":[null,TRUE],"b":"\\"","c":{"d":{}},"e":99999999999999999999}',
    ];
    const odd = Buffer.from('{}[]",:\\u0eE+-.9tnf \n\x00\xff', 'latin1');
    let refused = 0;
    for (let round = 0; round < 20_000; round++) {
      const bytes = Buffer.from(seeds[round % seeds.length] ?? '');
      for (let i = random(6); i >= 0; i--)
        bytes[random(bytes.length)] = odd[random(odd.length)] ?? 0;
      const cut = bytes.subarray(0, random(4) === 0 ? random(bytes.length) : bytes.length);
      try {
        expect(parseWireJson(cut)).toBeInstanceOf(Map);
      } catch (error) {
        if (!(error instanceof JsonParseError)) throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(1000);
    expect(refused).toBeLessThan(20_000);
  });

  const bodyOf = (unit: string): Uint8Array =>
    Buffer.from(`{"a":[${unit.repeat(1_000_000 / unit.length)}`);

  test.each(['1,', '"",', '1e0,', 'true,', '18446744073709551615,', '"\\u0041",'])(
    'a mebibyte of %s is read in steps',
    (unit) => {
      const steps = parseWireJsonSteps(bodyOf(unit));
      let count = 0;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) count++;
      const items = step.value.get('a') as readonly WireValue[];
      expect(items).toHaveLength(Math.floor(1_000_000 / unit.length));
      expect(count).toBeGreaterThanOrEqual(Math.floor(items.length / 512));
    },
  );
});
