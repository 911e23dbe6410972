import { toHex } from '@monero-node/codec';
import { recordedChain } from '@monero-node/rpc/testing';
import { RecentBlocks } from './recent-blocks.ts';

let chain: Awaited<ReturnType<typeof recordedChain>>;
beforeEach(async () => {
  chain = await recordedChain();
});
afterEach(() => chain.stop());

test('the newest blocks have what the chain knows about them', () => {
  const blocks = new RecentBlocks(chain);
  const change = blocks.update();
  const { rows } = blocks;
  expect(change).toEqual({ from: rows[0]?.height, added: rows });
  expect(rows).toHaveLength(Math.min(30, chain.height));
  const { id, timestamp, weight } = chain.top;
  const top = rows.at(-1);
  expect(top).toMatchObject({ height: chain.height - 1, id: toHex(id), timestamp, weight });
  for (const { height, fees, reward } of rows) {
    expect(reward).toBeGreaterThan(0);
    const below = chain.store.blockMeta(height - 1)?.generatedCoins ?? 0n;
    const made = (chain.store.blockMeta(height)?.generatedCoins ?? 0n) - below;
    expect(BigInt(reward) - made).toBe(BigInt(fees));
  }
  expect(rows.some(({ transactions }) => transactions > 0)).toBe(true);
});

test('fees do not depend on the generated coins, which stop growing one day', () => {
  const { store, height } = chain;
  const expected = new RecentBlocks(chain);
  expected.update();
  const saturated: typeof store = Object.assign(Object.create(store), {
    blockMetas: (from: number, to: number) =>
      store.blockMetas(from, to).map((meta) => ({ ...meta, generatedCoins: 2n ** 64n - 1n })),
    blockBlob: (at: number) => store.blockBlob(at),
    blockTxs: (at: number) => store.blockTxs(at),
  });
  const blocks = new RecentBlocks({ height, store: saturated });
  blocks.update();
  expect(blocks.rows).toEqual(expected.rows);
});

test('blocks with many transactions are read in several updates, the newest first', () => {
  const all = new RecentBlocks(chain);
  all.update();
  const blocks = new RecentBlocks(chain, 0);
  const lengths: number[] = [];
  while (blocks.update() !== undefined) {
    expect(blocks.rows).toEqual(all.rows.slice(-blocks.rows.length));
    lengths.push(blocks.rows.length);
  }
  expect(lengths.length).toBeGreaterThan(1);
  expect(blocks.rows).toEqual(all.rows);
});

test('nothing has changed while the chain has not', () => {
  const blocks = new RecentBlocks(chain);
  blocks.update();
  expect(blocks.update()).toBeUndefined();
});

test('popped blocks go, and those that come after are added', async () => {
  const blocks = new RecentBlocks(chain);
  blocks.update();
  const before = chain.height;
  await chain.popBlocks(3);
  const change = blocks.update();
  expect(blocks.rows.at(-1)?.height).toBe(before - 4);
  expect(change?.from).toBeLessThanOrEqual(before - 3);
  expect(blocks.rows).toHaveLength(Math.min(30, chain.height));
});
