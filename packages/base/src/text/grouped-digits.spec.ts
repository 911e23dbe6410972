import { groupedDigits } from './grouped-digits.ts';

test('digits are grouped as in English', () => {
  for (const value of [0, 7, 99, 100, 999, 1000, 12_345, 999_999, 1_000_000, 3_712_345])
    expect(groupedDigits(value)).toBe(value.toLocaleString('en-US'));
  expect(groupedDigits(Number.MAX_SAFE_INTEGER)).toBe('9,007,199,254,740,991');
});
