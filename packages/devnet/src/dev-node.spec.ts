import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from '@monero-node/codec';
import { devAccount } from './accounts.ts';
import type { DevNode } from './dev-node.ts';
import type { DevNodeOptions } from './options.ts';
import { startNode } from './start-node.ts';

const open: DevNode[] = [];
afterEach(async () => {
  for (const node of open.splice(0)) await node.stop();
});

async function start(options?: DevNodeOptions): Promise<DevNode> {
  const node = await startNode(options);
  open.push(node);
  return node;
}

const heightsOf = (blocks: readonly { readonly height: number }[]): number[] =>
  blocks.map(({ height }) => height);

test('mines blocks for an address, and its RPC knows them', async () => {
  const node = await start();
  expect(node.height).toBe(1);
  const blocks = await node.mine(3, devAccount(1).address);
  expect(heightsOf(blocks)).toEqual([1, 2, 3]);
  const response = await fetch(`${node.rpcUrl}/get_info`);
  expect(await response.json()).toMatchObject({
    status: 'OK',
    nettype: 'fakechain',
    height: 4,
    top_block_hash: toHex(node.topId),
    synchronized: true,
    difficulty: 1,
  });
  const { block_header: header } = await node.rpc.rpc('get_block_header_by_height', { height: 3n });
  expect(header.reward).toBe(blocks.at(-1)?.reward);
});

test('mines through the RPC, as other languages do', async () => {
  const node = await start();
  const { height } = await node.rpc.rpc('generateblocks', {
    amount_of_blocks: 5n,
    wallet_address: devAccount(0).address,
  });
  expect([height, node.height]).toEqual([5n, 6]);
});

test('mining refuses what cannot be paid and what is no number', async () => {
  const node = await start();
  await expect(node.mine(1, 'nobody')).rejects.toThrow(RangeError);
  await expect(node.mine(-1)).rejects.toThrow(RangeError);
  await expect(node.mine(0.5)).rejects.toThrow(RangeError);
  expect(node.height).toBe(1);
});

test('funds an address with unlocked coins, in a chain long enough for rings', async () => {
  const node = await start();
  const { amount, blocks } = await node.fund(devAccount(1).address, 70_000_000_000_000n);
  expect(amount).toBeGreaterThanOrEqual(70_000_000_000_000n);
  expect(blocks.length).toBe(2);
  expect(node.height).toBe(100);
  await node.fund(devAccount(1).address);
  expect(node.height).toBe(161);
});

test('reorganizes: a longer branch replaces the newest blocks', async () => {
  const node = await start();
  const old = await node.mine(10);
  const made = await node.reorganize(5);
  expect(heightsOf(made)).toEqual([6, 7, 8, 9, 10, 11]);
  expect([node.height, node.topId]).toEqual([12, made.at(-1)?.id]);
  const { store } = node.node.blockchain;
  expect(store.altBlocks().length).toBe(5);
  expect(store.blockMeta(5)?.height).toBe(5);
  expect(old.slice(0, 5).at(-1)?.height).toBe(5);
  expect((await node.reorganize(1, { blocks: 4 })).length).toBe(4);
  expect(node.height).toBe(15);
});

test.each([0, -1, 4, 1.5])('a reorganization of %d blocks of 4 is refused', async (depth) => {
  const node = await start();
  await node.mine(3);
  await expect(node.reorganize(depth)).rejects.toThrow(RangeError);
  expect(node.height).toBe(4);
});

test('invalidates a block by height or id, with all above it', async () => {
  const node = await start();
  const blocks = await node.mine(6);
  await node.invalidate(5);
  expect([node.height, node.topId]).toEqual([5, blocks[3]?.id]);
  await node.invalidate(blocks[2]?.id ?? 0);
  expect([node.height, node.topId]).toEqual([3, blocks[1]?.id]);
  await node.invalidate(toHex(node.topId));
  expect([node.height, node.topId]).toEqual([2, blocks[0]?.id]);
  await expect(node.invalidate(0)).rejects.toThrow(RangeError);
  await expect(node.invalidate('00'.repeat(32))).rejects.toThrow('not a block of this chain');
});

test('returns to a snapshot after more blocks, after a reorganization and after both, again and again', async () => {
  const node = await start();
  await node.mine(8);
  const snapshot = await node.snapshot();
  const { topId } = node;
  await node.mine(3);
  await node.revert(snapshot);
  expect([node.height, node.topId]).toEqual([9, topId]);
  await node.reorganize(4);
  await node.mine(2);
  node.clock.advance(3600);
  await node.revert(snapshot);
  expect([node.height, node.topId]).toEqual([9, topId]);
  expect(Math.abs(node.clock.now() - snapshot.time)).toBeLessThanOrEqual(1);
  await node.invalidate(2);
  await node.revert(snapshot);
  expect([node.height, node.topId]).toEqual([9, topId]);
  await node.mine(1);
  expect(node.height).toBe(10);
});

test('a snapshot of another node is refused, and changes nothing', async () => {
  const [one, other] = [await start(), await start()];
  await other.mine(2);
  const snapshot = await other.snapshot();
  await one.mine(1);
  await expect(one.revert(snapshot)).rejects.toMatchObject({ name: 'LostBlockError' });
  expect(one.height).toBe(2);
});

test('blocks have the time of the clock', async () => {
  const node = await start();
  node.clock.set(2_000_000_000);
  await node.mine(1);
  expect(Math.abs(node.node.blockchain.top.timestamp - 2_000_000_000)).toBeLessThanOrEqual(1);
  node.clock.advance(86_400);
  await node.mine(1);
  expect(Math.abs(node.node.blockchain.top.timestamp - 2_000_086_400)).toBeLessThanOrEqual(1);
});

test('proofs of work are real at a higher difficulty', async () => {
  const node = await start({ difficulty: 3 });
  await node.mine(2);
  expect(node.node.blockchain.counters.pow).toBe(2);
  expect(node.node.pow.seedsHeld).toBe(1);
});

test('no proof of work is computed at difficulty 1', async () => {
  const node = await start();
  await node.mine(2);
  expect(node.node.blockchain.counters).toMatchObject({ blocks: 2, pow: 0 });
  expect(node.node.pow.seedsHeld).toBe(0);
});

test('a chain in a folder is there again after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'devnet-'));
  const first = await startNode({ dataDir });
  await first.mine(3);
  const { topId } = first;
  await first.stop();
  const second = await startNode({ dataDir });
  expect([second.height, second.topId]).toEqual([4, topId]);
  await second.stop();
  rmSync(dataDir, { recursive: true });
});

test('stops once, and refuses to mine afterwards', async () => {
  const node = await startNode();
  const { rpcUrl } = node;
  await Promise.all([node.stop(), node[Symbol.asyncDispose]()]);
  await expect(node.mine(1)).rejects.toThrow('stopped');
  await expect(fetch(`${rpcUrl}/get_height`)).rejects.toThrow();
});

test('a peer that does not answer fails the start', async () => {
  const gone = await startNode();
  const peers = [gone.p2pAddress];
  await gone.stop();
  await expect(startNode({ peers, connectMilliseconds: 300 })).rejects.toThrow('the peers');
});

test.each(['mainnet', 'stagenet', 'testnet'] as const)(
  'a chain with the ids of %s knows nobody outside',
  async (network) => {
    const node = await start({ network });
    const blocks = await node.mine(2);
    expect(node.height).toBe(3);
    expect(blocks).toHaveLength(2);
    const { checkpoints, seedHosts, seedNodes, torSeedNodes, i2pSeedNodes } = node.node.network;
    const outside = [checkpoints, seedHosts, seedNodes, torSeedNodes, i2pSeedNodes].flat();
    expect(outside).toEqual([]);
  },
);

test.each([0, -1, 0.5])('refuses difficulty %d', async (difficulty) => {
  await expect(startNode({ difficulty })).rejects.toThrow(RangeError);
});
