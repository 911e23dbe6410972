import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNode } from '@monero-node/devnet';

let net;
beforeAll(async () => {
  net = await startNode();
});
afterAll(() => net.stop());

test('a reorganization replaces the newest blocks', async () => {
  const blocks = await net.mine(10);
  const replaced = blocks.at(-1).id;
  await net.reorganize(5);
  expect(net.height).toBe(12);
  expect(net.node.blockchain.has(replaced)).toBe('alt');
});
