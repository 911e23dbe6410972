import { fromHex, parseAddress, toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { recordedSeeds, recordedWallet } from '../testing/fixtures.ts';
import { decodeSeed } from '../seed/seed.ts';
import { english } from '../words/english.ts';
import { accountFromSecrets, accountFromSeed, accountFromSpendSecret } from './account.ts';
import {
  accountAddress,
  subaddressKeys,
  subaddressSecret,
  subaddressSpendKeys,
} from './subaddress.ts';
import { SubaddressTable } from './subaddress-table.ts';

const backend = createBackend();
const { proofs } = recordedWallet();
const account = accountFromSeed(decodeSeed(proofs.words, [english]).secret);
const ORDER = fromHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

describe('accounts', () => {
  test('have the keys and the address of real wallets', () => {
    for (const { words, secret, viewSecret, address } of recordedSeeds('English')) {
      const made = accountFromSeed(decodeSeed(words, [english]).secret);
      expect(toHex(made.spendSecret)).toBe(secret);
      expect(toHex(made.viewSecret)).toBe(viewSecret);
      expect(accountAddress(made, { network: 'mainnet', backend })).toBe(address);
      expect(accountFromSpendSecret(made.spendSecret)).toEqual(made);
      expect(accountFromSecrets(made)).toEqual(made);
    }
  });

  test('are made of seeds above l, but not of 0', () => {
    const wrapped = ORDER.slice();
    wrapped[0] = (wrapped[0] as number) + 5;
    expect(accountFromSeed(wrapped).spendSecret).toEqual(Uint8Array.of(5, ...new Uint8Array(31)));
    expect(() => accountFromSpendSecret(wrapped)).toThrow(RangeError);
    expect(() => accountFromSeed(ORDER)).toThrow(RangeError);
    expect(() => accountFromSeed(new Uint8Array(33))).toThrow(RangeError);
  });
});

describe('addresses', () => {
  test('are those of a real wallet', () => {
    const options = { network: 'mainnet', backend } as const;
    expect(accountAddress(account, options)).toBe(proofs.main);
    const at = { account: 0, index: 1 };
    expect(accountAddress(account, { ...options, at })).toBe(proofs.subaddress);
    const paymentId = fromHex('0123456789abcdef');
    expect(accountAddress(account, { ...options, paymentId })).toBe(proofs.integrated);
    expect(() => accountAddress(account, { ...options, at, paymentId })).toThrow(RangeError);
    const short = { ...options, paymentId: new Uint8Array(7) };
    expect(() => accountAddress(account, short)).toThrow(RangeError);
  });

  test.each(['mainnet', 'testnet', 'stagenet'] as const)('on %s are parsed again', (network) => {
    for (const at of [
      { account: 0, index: 0 },
      { account: 0, index: 1 },
      { account: 2 ** 32 - 1, index: 2 ** 32 - 1 },
    ]) {
      const text = accountAddress(account, { network, at, backend });
      const { viewKey, spendKey } = subaddressKeys(account, at, backend);
      const kind = at.account + at.index === 0 ? 'standard' : 'subaddress';
      expect(parseAddress(text)).toEqual({ network, kind, viewKey, spendKey });
    }
  });

  test('have an index of 32 bits', () => {
    for (const index of [-1, 2 ** 32, 0.5, Number.NaN]) {
      expect(() => subaddressSecret(account.viewSecret, { account: 0, index })).toThrow(RangeError);
      expect(() => subaddressSecret(account.viewSecret, { account: index, index: 0 })).toThrow(
        RangeError,
      );
    }
    const bad = { ...account, spendKey: new Uint8Array(32).fill(255) };
    expect(() => subaddressSpendKeys(bad, [{ account: 0, index: 1 }], backend)).toThrow(RangeError);
  });
});

describe('tables of addresses', () => {
  const at = (place: number, index: number) => ({ account: place, index });
  const has = (table: SubaddressTable, place: number, index: number) => {
    const [key] = subaddressSpendKeys(account, [at(place, index)], backend) as [Uint8Array];
    const found = table.find(key);
    if (found !== undefined) expect(found).toEqual(at(place, index));
    return found !== undefined;
  };

  test('begin with 50 accounts of 200 addresses', () => {
    const table = new SubaddressTable(account, backend);
    expect(table.size).toBe(10_000);
    expect(table.find(account.spendKey)).toEqual(at(0, 0));
    expect([has(table, 49, 199), has(table, 50, 0), has(table, 0, 200)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('grow with the last used address', () => {
    const table = new SubaddressTable(account, backend, { accounts: 2, addresses: 3 });
    expect(table.size).toBe(6);
    table.use(at(0, 2));
    expect([has(table, 0, 4), has(table, 0, 5)]).toEqual([true, false]);
    expect(table.size).toBe(8);
    table.use(at(1, 0));
    expect([has(table, 2, 2), has(table, 3, 0)]).toEqual([true, false]);
    table.use(at(4, 4));
    expect([has(table, 4, 6), has(table, 4, 7), has(table, 5, 2), has(table, 6, 0)]).toEqual([
      ...[true, false, true, false],
    ]);
    const { size } = table;
    table.use(at(0, 0));
    expect(table.size).toBe(size);
  });

  test('are bounded', () => {
    const table = new SubaddressTable(account, backend, { accounts: 2, addresses: 3, most: 10 });
    table.use(at(2 ** 32 - 1, 2 ** 32 - 1));
    expect(table.size).toBe(10);
    expect(() => new SubaddressTable(account, backend, { accounts: 1e6, addresses: 2 })).toThrow(
      RangeError,
    );
    for (const bad of [0, -1, 0.5, Number.NaN]) {
      expect(() => new SubaddressTable(account, backend, { accounts: bad })).toThrow(RangeError);
    }
  });
});
