import { checkRelay } from './relay-policy.ts';
import { codeOf, parsed, ringCt } from '../testing/transactions.ts';

const check = (change: object, minimumFee = 100n) =>
  codeOf(() => checkRelay(parsed({ ...ringCt({ fee: 100n }), ...change }), { minimumFee }));

test('requires the fee', () => {
  expect(check({})).toBeUndefined();
  expect(check({}, 101n)).toBe('fee-too-low');
});

test('accepts tx_extra of up to 1,060 bytes', () => {
  expect(check({ extra: new Uint8Array(1060) })).toBeUndefined();
  expect(check({ extra: new Uint8Array(1061) })).toBe('tx-extra-too-big');
});

test('rejects an unlock time', () => {
  expect(check({ unlockTime: 1n })).toBe('nonzero-unlock-time');
});
