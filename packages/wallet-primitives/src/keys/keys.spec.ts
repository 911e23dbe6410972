import { DecodeError, fromHex, parseAddress, toHex } from '@monero-node/codec';
import { createBackend, type CryptoBackend } from '@monero-node/crypto';
import { recordedSeeds, recordedWallet } from '../testing/fixtures.ts';
import { decodeSeed } from '../seed/seed.ts';
import { english } from '../words/english.ts';
import { CarrotScanner } from '../carrot/scan.ts';
import { carrotAccountFromMasterSecret } from './carrot-account.ts';
import { accountFromSecrets, accountFromSeed, accountFromSpendSecret } from './account.ts';
import {
  accountAddress,
  subaddressKeys,
  subaddressSecret,
  subaddressSpendKeys,
} from './subaddress.ts';
import { Scanner } from '../scan/scan.ts';
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

  /** A backend that counts the addresses that it computes. */
  const counting = () => {
    const counts = { addresses: 0 };
    const addMultiples: typeof backend.addMultiples = (sums) => {
      counts.addresses += sums.length;
      return backend.addMultiples(sums);
    };
    return { counts, backend: { addMultiples } as CryptoBackend };
  };
  const small = { accounts: 3, addresses: 100 };

  test('are computed when they are first asked for, one time', () => {
    const { counts, backend: counted } = counting();
    const table = new SubaddressTable(account, counted, small);
    expect([table.size, counts.addresses]).toEqual([300, 1]);
    expect(table.find(account.spendKey)).toEqual(at(0, 0));
    expect(has(table, 2, 99)).toBe(true);
    expect(counts.addresses).toBe(301);
    table.use(at(0, 1));
    expect([table.size, has(table, 0, 100), counts.addresses]).toEqual([301, true, 302]);
  });

  test.each([
    ['a spend key that is no point', { spendKey: new Uint8Array(32).fill(255) }],
    ['a view secret that is no scalar', { viewSecret: new Uint8Array(32).fill(255) }],
    ['a view secret of 0', { viewSecret: new Uint8Array(32) }],
    ['a view secret that is too short', { viewSecret: new Uint8Array(31) }],
  ])('are not made with %s', (_name, wrong) => {
    expect(() => new SubaddressTable({ ...account, ...wrong }, backend)).toThrow(RangeError);
  });

  test('are computed in steps while other work goes on, and until a signal ends it', async () => {
    const { counts, backend: counted } = counting();
    const table = new SubaddressTable(account, counted, small);
    const stop = new AbortController();
    const steps: number[] = [];
    const prepared = table.prepare({
      signal: stop.signal,
      onProgress: (done) => {
        steps.push(done);
        if (steps.length === 2) stop.abort(new Error('enough'));
      },
    });
    await expect(prepared).rejects.toThrow('enough');
    expect(steps).toEqual([1 / 3, 2 / 3]);
    await table.prepare();
    expect(counts.addresses).toBe(301);
    expect(has(table, 2, 99)).toBe(true);
    await expect(table.prepare({ onStep: 1 } as never)).rejects.toThrow('no option "onStep"');
    const large = new SubaddressTable(account, backend, { accounts: 1, addresses: 2000 });
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await large.prepare();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });

  test('are saved and loaded without being computed again', () => {
    const table = new SubaddressTable(account, backend, small);
    table.use(at(1, 5));
    expect(has(table, 1, 104)).toBe(true);
    const bytes = table.save();
    expect(bytes.length).toBeLessThan(32 * table.size + 100);
    const { counts, backend: counted } = counting();
    const loaded = SubaddressTable.load(bytes, account, counted, small);
    expect([loaded.size, has(loaded, 1, 104), has(loaded, 3, 99)]).toEqual([
      table.size,
      true,
      true,
    ]);
    expect(counts.addresses).toBe(1);
    // Less than the lookahead wants is filled up.
    const wider = SubaddressTable.load(bytes, account, backend, { ...small, accounts: 6 });
    expect([has(wider, 5, 99), has(wider, 1, 104)]).toEqual([true, true]);
    const narrow = SubaddressTable.load(bytes, account, backend, { ...small, most: 300 });
    expect([narrow.size, has(narrow, 1, 104)]).toEqual([300, false]);
  });

  test('bytes of another account, changed ones and none are no table', () => {
    const bytes = new SubaddressTable(account, backend, { accounts: 1, addresses: 2 });
    bytes.find(account.spendKey);
    const saved = bytes.save();
    const load =
      (other: Uint8Array, owner = account) =>
      () =>
        SubaddressTable.load(other, owner, backend);
    expect(load(saved, accountFromSpendSecret(Uint8Array.of(5, ...new Uint8Array(31))))).toThrow(
      DecodeError,
    );
    for (const position of [0, 5, saved.length - 1]) {
      const changed = saved.slice();
      changed[position] = (changed[position] as number) ^ 1;
      expect(load(changed)).toThrow(DecodeError);
    }
    for (const length of [0, 31, saved.length - 1]) {
      expect(load(saved.subarray(0, length))).toThrow(DecodeError);
    }
  });

  test('are shared by scanners', () => {
    const { counts, backend: counted } = counting();
    const subaddresses = new SubaddressTable(account, counted, small);
    const scanners = [1, 2].map(() => new Scanner({ account, backend: counted, subaddresses }));
    for (const scanner of scanners)
      expect(scanner.subaddresses.find(account.spendKey)).toBeDefined();
    expect(counts.addresses).toBe(301);
    const both = { account, backend, subaddresses, lookahead: small };
    expect(() => new Scanner(both)).toThrow(RangeError);
  });

  test('of the other hierarchy are refused, and of another address secret: their subaddresses are others', () => {
    const carrot = carrotAccountFromMasterSecret(new Uint8Array(32).fill(8), backend);
    const { viewSecret, spendKey, addressSecret } = carrot;
    const accounts = [
      { viewSecret, spendKey },
      { viewSecret, spendKey, addressSecret },
      { viewSecret, spendKey, addressSecret: new Uint8Array(32).fill(9) },
    ];
    for (const own of accounts) {
      const subaddresses = new SubaddressTable(own, backend, small);
      subaddresses.find(spendKey);
      const saved = subaddresses.save();
      for (const other of accounts) {
        const load = () => SubaddressTable.load(saved, other, backend, small);
        const scan = () => new CarrotScanner({ account: other, backend, subaddresses });
        if (other === own) {
          expect(load().size).toBe(subaddresses.size);
          expect(scan).not.toThrow();
        } else {
          expect(load).toThrow(DecodeError);
          expect(scan).toThrow(new RangeError('the table of addresses belongs to another account'));
        }
      }
    }
  });

  test('of another account are refused: a scanner would find nothing with them', () => {
    const subaddresses = new SubaddressTable(account, backend, small);
    const { viewSecret, spendKey } = account;
    const other = accountFromSpendSecret(Uint8Array.of(5, ...new Uint8Array(31)));
    const mixed = { viewSecret: other.viewSecret, spendKey };
    for (const stranger of [other, mixed, { viewSecret, spendKey: other.spendKey }]) {
      expect(subaddresses.isOf(stranger)).toBe(false);
      expect(() => new Scanner({ account: stranger, backend, subaddresses })).toThrow(
        new RangeError('the table of addresses belongs to another account'),
      );
    }
    const copy = { viewSecret: viewSecret.slice(), spendKey: spendKey.slice() };
    expect(() => new Scanner({ account: copy, backend, subaddresses })).not.toThrow();
  });
});
