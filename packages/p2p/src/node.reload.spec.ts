import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import type { P2pOptions } from './options/options.ts';
import { MemoryNetwork } from './testing/memory-network.ts';
import { TestNodes } from './testing/test-node.ts';
import type { TestNode } from './testing/test-node.ts';

jest.setTimeout(30_000);

const nodes = new TestNodes();
let network: MemoryNetwork;
beforeEach(() => void (network = new MemoryNetwork()));
afterEach(() => nodes.stop());

const start = (host: string, options: Partial<P2pOptions> = {}): Promise<TestNode> =>
  nodes.start({ bindPort: 18080, ...options }, { transport: network.machine(host) });

const outgoing = ({ node }: TestNode): string[] =>
  node
    .connections()
    .filter(({ incoming }) => !incoming)
    .map(({ host }) => host)
    .sort();

const NONE = { addPeers: [], priorityNodes: [], exclusiveNodes: [] };

test('a priority node that is named later is dialled, and one that is named no more stays', async () => {
  await start('9.0.0.1');
  await start('8.0.0.1');
  const node = await start('7.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await until(() => outgoing(node).length === 1);
  await node.node.replacePeers({ ...NONE, priorityNodes: ['8.0.0.1'] });
  await until(() => outgoing(node).length === 2);
  expect(node.node.fixedPeers().map(({ text }) => text)).toEqual(['8.0.0.1']);
});

test('once exclusive nodes are named, only these stay connected, and others again when they are not', async () => {
  await start('9.0.0.1');
  await start('8.0.0.1');
  const node = await start('7.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await until(() => outgoing(node).length === 1);
  await node.node.replacePeers({ ...NONE, exclusiveNodes: ['8.0.0.1'] });
  expect(outgoing(node)).not.toContain('9.0.0.1');
  await until(() => outgoing(node).length === 1);
  expect(outgoing(node)).toEqual(['8.0.0.1']);
  await node.node.replacePeers({ ...NONE, addPeers: ['9.0.0.1'] });
  // It may have come by itself meanwhile.
  await until(() => node.node.connections().some(({ host }) => host === '9.0.0.1'));
});

test('another ban list closes the links of hosts that it names and lets the others in', async () => {
  const hub = await start('9.0.0.1', { banList: ['8.0.0.1'] });
  const banned = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  const friend = await start('7.0.0.1', { priorityNodes: ['9.0.0.1'] });
  // By asking back, which must have ended: its answer would list the peer.
  await until(() => hub.node.peerLists().white.length === 1);
  expect(await hub.node.replaceBanList(['7.0.0.0/24', 'nonsense'])).toEqual({
    before: 1,
    after: 1,
    dropped: { count: 1, first: [{ line: 2, text: 'nonsense' }] },
  });
  await until(() => outgoing(friend).length === 0);
  expect(hub.node.bans().map(({ host }) => host)).toEqual(['7.0.0.0/24']);
  expect(hub.node.peerLists().white.map(({ host }) => host)).not.toContain('7.0.0.1');
  expect(outgoing(banned)).toEqual([]);
  expect(hub.node.banned('8.0.0.1')).toBeUndefined();
});

test('a raised limit of connections of one address lets more of them in', async () => {
  const hub = await nodes.start({ maxConnectionsPerIp: 1 });
  const peer = (): Promise<TestNode> =>
    nodes.start({ exclusiveNodes: [`127.0.0.1:${hub.node.listenPort}`] });
  await peer();
  await until(() => hub.node.incomingCount === 1);
  hub.node.setMaxConnectionsPerIp(2);
  await peer();
  await until(() => hub.node.incomingCount === 2);
});
