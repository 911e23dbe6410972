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
  for (const { fees, reward, transactions } of rows) {
    expect(reward).toBeGreaterThan(0);
    expect(fees > 0).toBe(transactions > 0);
  }
  expect(rows.some(({ transactions }) => transactions > 0)).toBe(true);
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
