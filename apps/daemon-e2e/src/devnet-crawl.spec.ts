import { until } from '@monero-node/base/testing';
import { NETWORKS } from '@monero-node/consensus';
import { startNetwork } from '@monero-node/devnet';
import { crawl } from '@monero-node/p2p';

test('a crawl from any node finds the whole network', async () => {
  const network = await startNetwork(3);
  try {
    await network.first.mine(1);
    await network.inStep();
    // It lists a node once that has answered at its port.
    const { p2p } = network.first.node;
    await until(() => p2p.whiteCount === 2);
    const addresses = network.nodes.map((node) => node.p2pAddress).sort();
    for (const { p2pAddress } of network.nodes) {
      const found: string[] = [];
      const options = { start: [p2pAddress], allowPrivate: true };
      for await (const visit of crawl(NETWORKS.regtest, options)) {
        expect(visit.ok).toBe(true);
        found.push(visit.address);
      }
      expect(found.sort()).toEqual(addresses);
    }
  } finally {
    await network.stop();
  }
});
