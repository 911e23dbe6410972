import { devAccount, startNetwork, startNode } from './index.ts';

test('options that there are not are errors that name the choices', async () => {
  await expect(startNode({ mine: true } as never)).rejects.toThrow(
    'startNode: no option "mine"; there are network, difficulty,',
  );
  await expect(startNode({ network: 'testnet3' as never })).rejects.toThrow(
    'startNode: network is "testnet3"; it can be "mainnet", "testnet", "stagenet", "regtest"',
  );
  // Each node has a port of its own.
  await expect(startNetwork(2, { rpcPort: 18081 } as never)).rejects.toThrow(
    'startNetwork: no option "rpcPort"',
  );
  expect(() => devAccount(1, 'regtest' as never)).toThrow(
    'devAccount: network is "regtest"; it can be "mainnet", "testnet", "stagenet"',
  );
});

test('a reorganization refuses an option that it does not know, and changes nothing', async () => {
  const node = await startNode();
  try {
    await node.mine(3);
    await expect(node.reorganize(1, { to: '' } as never)).rejects.toThrow(
      'reorganize: no option "to"; there are blocks, address',
    );
    expect(node.height).toBe(4);
  } finally {
    await node.stop();
  }
});
