import { startNetwork } from './dev-network.ts';
import { waitUntil } from './wait-until.ts';

test('linked nodes follow blocks and reorganizations of any of them', async () => {
  const network = await startNetwork(3);
  const [first, second, third] = network.nodes;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three');
  await first.mine(5);
  await network.inStep();
  await second.mine(2);
  await third.waitForHeight(8);
  await network.inStep();
  await third.reorganize(3);
  await first.waitForSameTop(third);
  await network.inStep();
  expect(network.nodes.map(({ height }) => height)).toEqual([9, 9, 9]);
  await network.stop();
});

test('nodes of a network share their engines', async () => {
  const network = await startNetwork(2, { difficulty: 2 });
  await network.first.mine(2);
  await network.inStep();
  const [one, other] = network.nodes;
  expect(one?.node.pow).toBe(other?.node.pow);
  expect(one?.node.pow.seedsHeld).toBe(1);
  await network.stop();
});

test('a network has a node or more', async () => {
  await expect(startNetwork(0)).rejects.toThrow(RangeError);
});

test('twenty nodes run in one process, and leave nothing behind', async () => {
  const resources = (): string[] => process.getActiveResourcesInfo().sort();
  const before = resources();
  const network = await startNetwork(20);
  expect(resources().length).toBeGreaterThan(before.length);
  await network.first.mine(3);
  await network.inStep();
  await network.stop();
  // Sockets are closed by the next round of the event loop.
  await waitUntil(() => resources().length <= before.length, 'everything to be closed', 2000);
});
