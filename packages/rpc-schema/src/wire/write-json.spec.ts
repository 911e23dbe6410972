import { formatDouble } from './write-json.ts';

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
