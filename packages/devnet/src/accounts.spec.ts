import { accountFromSpendSecret, decodeSeed } from '@monero-node/wallet-primitives';
import { english } from '@monero-node/wallet-primitives/words/english';
import { devAccount } from './accounts.ts';

test('the words, the keys and the address of an account agree', () => {
  const { seed, spendSecret, viewSecret } = devAccount(7);
  expect(decodeSeed(seed, [english]).secret).toEqual(spendSecret);
  expect(accountFromSpendSecret(spendSecret).viewSecret).toEqual(viewSecret);
});

test('an account has an address on every network', () => {
  expect(devAccount(1).address).toMatch(/^4/);
  expect(devAccount(1, 'stagenet').address).toMatch(/^5/);
  expect(devAccount(1, 'testnet').address).toMatch(/^9/);
});

test('accounts stay the same', () => {
  expect(devAccount(0)).toEqual(devAccount(0));
  expect(devAccount(1).address).not.toBe(devAccount(0).address);
  expect(() => devAccount(-1)).toThrow(RangeError);
});
