import { echoJson, EchoTooLongError, formatDouble } from './echo-json.ts';
import { parseWireJson } from './json-parser.ts';

test.each([
  [1.5, '1.5'],
  [5, '5'],
  [1e10, '1e+10'],
  [0.00001234, '1.234e-05'],
  [123456789.25, '1.23457e+08'],
  [1234567, '1.23457e+06'],
  [123456, '123456'],
  [0.0001, '0.0001'],
  [-0.25, '-0.25'],
  [0, '0'],
  [-0, '-0'],
])('prints %d as C does: %s', (value, text) => {
  expect(formatDouble(value)).toBe(text);
});

const idOf = (text: string) => parseWireJson(Buffer.from(`{"id":${text}}`)).get('id') ?? 0;

// Answers of monerod 0.18.0.0.
test.each([
  ['-5', '-5'],
  ['1.5', '1.5'],
  ['true', 'true'],
  ['{}', '{\r\n  }'],
  [
    '{"b":[1,2],"a":{"c":"d"}}',
    '{\r\n    "a": {\r\n      "c": "d"\r\n    },\r\n    "b": [1,2]\r\n  }',
  ],
  ['["a","b"]', '["a","b"]'],
  ['[{"a":1},{}]', '[{\r\n    "a": 1\r\n  },{\r\n  }]'],
  ['"a\\u00e9\\"/"', '"a\xc3\xa9\\"\\/"'],
])('echoes %s as monerod does', (text, echoed) => {
  expect(echoJson(idOf(text), 1)).toBe(echoed);
});

test('a value whose echo is longer than the limit is refused', () => {
  const nested = idOf(`${'{"a":'.repeat(95)}[${'{"b":1},'.repeat(60_000)}{}]${'}'.repeat(95)}`);
  expect(() => echoJson(nested, 1, 65_536)).toThrow(EchoTooLongError);
  expect(() => echoJson(idOf(`"${'/'.repeat(40_000)}"`), 1, 65_536)).toThrow(EchoTooLongError);
  expect(echoJson(idOf(`"${'x'.repeat(65_534)}"`), 1, 65_536)).toHaveLength(65_536);
});
