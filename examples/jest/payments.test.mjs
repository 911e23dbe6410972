import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { devAccount, startNode } from '@monero-node/devnet';

let net;
beforeAll(async () => {
  net = await startNode();
});
afterAll(() => net.stop());

test('coins can be spent 60 blocks after they were mined', async () => {
  const { amount, blocks } = await net.fund(devAccount(1).address);
  expect(amount).toBeGreaterThan(35_000_000_000_000n);
  expect(net.height).toBeGreaterThanOrEqual(blocks[0].height + 60);
});
