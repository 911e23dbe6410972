import { sampled } from '@monero-node/base/testing';
import { fromHex, toHex } from '@monero-node/codec';
import type { RpcChain } from '../dependencies.ts';
import type { RpcPool } from '../pool.ts';
import { TxIdSearch } from '../transactions/tx-id-search.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { recordedPool } from '../testing/recorded.ts';

const ZERO = '00'.repeat(32);

let node: RecordedServer;
/** The recorded pool, of which the first transaction is in the stem phase. */
const pool = ((): RpcPool => {
  const recorded = recordedPool();
  const [first, ...rest] = recorded.transactions();
  if (first === undefined) throw new Error('the recorded pool is empty');
  return { ...recorded, transactions: () => [{ ...first, broadcast: false }, ...rest] };
})();
beforeAll(async () => {
  node = await recordedServer({}, { pool });
});
afterAll(() => node.stop());

const ask = (txid_template: string, num_matching_bits: number, restricted = false) =>
  node.rpc('get_txids_loose', { txid_template, num_matching_bits }, restricted) as Promise<{
    result?: { txids?: string[]; status: string; untrusted: boolean };
    error?: { code: number; message: string };
  }>;

/** Ids of the chain, block by block. */
function chainIds(): string[] {
  const { store, height } = node.chain;
  return Array.from({ length: height }, (_, at) => store.blockTxs(at))
    .flat()
    .map(({ id }) => toHex(id));
}

const reversed = (id: string): string => toHex(fromHex(id).reverse());
/** In the order of monerod's database. */
const inOrder = (ids: readonly string[]): string[] =>
  [...ids].sort((a, b) => (reversed(a) < reversed(b) ? -1 : 1));

describe('get_txids_loose', () => {
  test('no bits: returns every id, the chain before the pool', async () => {
    const ids = chainIds();
    expect(ids.length).toBeGreaterThan(node.chain.height);
    const inPool = pool.transactions().map(({ id }) => toHex(id));
    expect(inPool.length).toBeGreaterThan(0);
    expect(await ask(ZERO, 0)).toEqual({
      id: 0,
      jsonrpc: '2.0',
      result: {
        txids: [...inOrder(ids), ...inOrder(inPool)],
        status: 'OK',
        untrusted: false,
      },
    });
  });

  test('some bits: returns the ids that end with them', async () => {
    const all = [
      ...inOrder(chainIds()),
      ...inOrder(pool.transactions().map(({ id }) => toHex(id))),
    ];
    for (const id of sampled(all, 9)) {
      // The whole last byte, and the upper half of the one before.
      const template = `${'00'.repeat(30)}${id.at(-4) ?? ''}0${id.slice(-2)}`;
      const ending = (other: string): string => `${other.at(-4) ?? ''}${other.slice(-2)}`;
      const { result } = await ask(template, 12);
      expect(result?.txids).toEqual(all.filter((other) => ending(other) === ending(id)));
      expect((await ask(id, 256)).result?.txids).toEqual([id]);
    }
    const { result } = await ask(reversed(`${'f'.repeat(4)}${'0'.repeat(60)}`), 16);
    expect(result).toEqual({ status: 'OK', untrusted: false });
  });

  test('a restricted listener leaves out private transactions', async () => {
    const hidden = pool.transactions().filter(({ broadcast }) => !broadcast);
    expect(hidden.length).toBeGreaterThan(0);
    for (const { id } of hidden) {
      expect((await ask(toHex(id), 256)).result?.txids).toEqual([toHex(id)]);
      expect((await ask(toHex(id), 256, true)).result).toEqual({ status: 'OK', untrusted: false });
    }
  });

  test.each([
    [ZERO, 257, 'There are only 256 bits in a hash, you gave too many'],
    ['', 0, 'Could not decode hex txid'],
    ['00'.repeat(31), 8, 'Could not decode hex txid'],
    ['zz'.repeat(32), 8, 'Could not decode hex txid'],
    [
      `${'00'.repeat(31)}01`,
      7,
      'Txid template is not zeroed correctly for number of bits. You could be leaking true txid!',
    ],
  ])('%s with %i bits is refused', async (template, bits, message) => {
    expect((await ask(template, bits)).error).toEqual({ code: -1, message });
  });

  test('what is sure to find too many is not looked for', async () => {
    const message = 'Trying to search with too few matching bits, detected before fetching';
    const top = { ...node.chain.top, cumulativeTxCount: 1_000_000 };
    Object.defineProperty(node.chain, 'top', { configurable: true, get: () => top });
    try {
      for (const [bits, restricted] of [
        [3, false],
        [6, true],
      ] as const) {
        expect((await ask(ZERO, bits, restricted)).error).toEqual({ code: -1, message });
        expect((await ask(ZERO, bits + 1, restricted)).result?.status).toBe('OK');
      }
    } finally {
      Reflect.deleteProperty(node.chain, 'top');
    }
  });
});

describe('the search', () => {
  const bytes = (first: number): Uint8Array => Uint8Array.of(first, ...new Uint8Array(31));
  let reads = 0;

  /** A chain of `count` transactions, whose ids differ in their first two bytes. */
  function chainOf(count: number): RpcChain {
    const ids = Array.from({ length: count }, (_, i) =>
      Uint8Array.of(i >> 8, i & 255, ...new Uint8Array(30)),
    );
    reads = 0;
    const txIds = (after: Uint8Array | undefined, limit: number): Uint8Array[] => {
      if (after === undefined) reads++;
      const from = after === undefined ? 0 : (after[0] ?? 0) * 256 + (after[1] ?? 0) + 1;
      return ids.slice(from, from + limit);
    };
    return { store: { txIds } } as unknown as RpcChain;
  }

  test('reads all pages, and stops at too many matches', async () => {
    const search = new TxIdSearch();
    const chain = chainOf(5000);
    const query = { template: new Uint8Array(32), bits: 200 };
    const all = await search.find(chain, { ...query, most: 5000 });
    expect(all).toHaveLength(5000);
    expect(await search.find(chain, { ...query, most: 4999 })).toBe('too-many');
    const one = { template: bytes(7), bits: 256, most: 1 };
    expect(await search.find(chain, one)).toEqual([bytes(7)]);
  });

  test('callers meanwhile share the next round, up to a limit', async () => {
    const search = new TxIdSearch();
    const chain = chainOf(5000);
    const asked = Array.from({ length: 120 }, (_, i) =>
      search.find(chain, { template: bytes(i % 19), bits: 256, most: 1 }),
    );
    const found = await Promise.all(asked);
    expect(found.slice(0, 100)).toEqual(found.slice(0, 100).map((_, i) => [bytes(i % 19)]));
    expect(found.slice(100)).toEqual(Array.from({ length: 20 }, () => 'busy'));
    expect(reads).toBe(2);
  });

  test('a round ends when all its callers have left, and one host has a bounded number of searches', async () => {
    const search = new TxIdSearch();
    let pages = 0;
    const { store } = chainOf(60_000);
    const txIds = store.txIds.bind(store);
    let isGone = false;
    store.txIds = (...args) => {
      pages++;
      isGone = true;
      return txIds(...args);
    };
    const client = { host: 'a', isGone: () => isGone };
    const query = { template: new Uint8Array(32), bits: 256, most: 1, client };
    const asked = Array.from({ length: 9 }, () => search.find({ store } as RpcChain, query));
    expect(await Promise.all(asked)).toEqual(Array(9).fill('busy'));
    // Of sixty each: one for the round of the first search, one for that of the others.
    expect(pages).toBe(2);
    const other = { ...query, client: { host: 'b', isGone: () => false } };
    const own = Array.from({ length: 9 }, () => search.find({ store } as RpcChain, other));
    const found = await Promise.all(own);
    expect(found.filter((ids) => ids === 'busy')).toHaveLength(1);
  });

  test('a failing store rejects all waiting searches, and the next search starts from the beginning', async () => {
    const search = new TxIdSearch();
    const broken = {
      store: {
        txIds: () => {
          throw new Error('damaged');
        },
      },
    } as unknown as RpcChain;
    const query = { template: bytes(1), bits: 256, most: 1 };
    await expect(search.find(broken, query)).rejects.toThrow('damaged');
    expect(await search.find(chainOf(1000), query)).toEqual([bytes(1)]);
  });
});
