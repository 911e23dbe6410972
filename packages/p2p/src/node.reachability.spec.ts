import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import type { Reachability } from './session/reachability.ts';
import type { P2pOptions } from './options/options.ts';
import { ownSyncData } from './serve/chain.ts';
import { pass, passUntil, stopTime } from './testing/fake-time.ts';
import { MemoryNetwork } from './testing/memory-network.ts';
import { RawPeer } from './testing/raw-peer.ts';
import { TestNodes, type TestNode } from './testing/test-node.ts';

jest.setTimeout(30_000);

const nodes = new TestNodes();
let network: MemoryNetwork;
let time: number;
beforeEach(() => {
  network = new MemoryNetwork();
  time = 1_700_000_000_000;
});
afterEach(async () => {
  await nodes.stop();
  jest.useRealTimers();
});

const start = (
  host: string,
  options: Partial<P2pOptions> = {},
  deps: { now?: () => number } = { now: () => time },
): Promise<TestNode> =>
  nodes.start(
    { bindIp: '0.0.0.0', bindPort: 18080, ...options },
    { transport: network.machine(host), random: () => 0, ...deps },
  );

const open = ({ node }: TestNode): Reachability['networks'][number] | undefined =>
  node.reachability().networks.find(({ zone }) => zone === 'public');

test('a node knows, over restarts, when anybody came in', async () => {
  const a = await start('9.0.0.1');
  expect(open(a)).toEqual({ zone: 'public', connected: 0, first: undefined, last: undefined });
  const b = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'], hideMyPort: true });
  await until(() => open(a)?.connected === 1);
  // Nobody has come to the one that connects.
  expect(open(b)).toMatchObject({ connected: 0, first: undefined });
  expect(open(a)).toMatchObject({ first: 1_700_000_000, last: 1_700_000_000 });
  time += 60_000;
  await b.node.stop();
  await until(() => open(a)?.connected === 0);
  time += 60_000;
  expect(open(a)).toMatchObject({ first: 1_700_000_000, last: 1_700_000_060 });
  await a.node.stop();
  const again = await start('9.0.0.1', { dataDir: a.dataDir });
  expect(open(again)).toMatchObject({ connected: 0, first: 1_700_000_000, last: 1_700_000_060 });
});

test('peers on the same machine and those that do not introduce themselves do not count', async () => {
  const test = await nodes.start({ bindIp: '127.0.0.1' });
  const peer = await RawPeer.connectTo(test.node.listenPort);
  await peer.introduce(ownSyncData(test.chain));
  const silent = await RawPeer.connectTo(test.node.listenPort);
  await until(() => test.node.incomingCount === 2);
  expect(open(test)).toMatchObject({ connected: 0, last: undefined });
  for (const { socket } of [peer, silent]) socket.destroy();
});

test('a node learns its own address from what others pass on', async () => {
  stopTime();
  for (const host of ['9.0.0.1', '9.0.1.1']) await start(host, {}, {});
  // Both ask back at the port that it announces, put it on their lists, and send these with the next timed sync.
  const priorityNodes = ['9.0.0.1', '9.0.1.1'];
  const own = await start('8.0.0.1', { priorityNodes }, {});
  const hidden = await start('7.0.0.1', { priorityNodes, hideMyPort: true }, {});
  await passUntil(() => own.node.outgoingCount === 2 && hidden.node.outgoingCount === 2);
  await pass(30_000);
  await passUntil(() => own.node.reachability().ownAddresses.length > 0);
  expect(own.node.reachability()).toMatchObject({
    closedBy: '--regtest',
    port: 18080,
    ownAddresses: [{ address: '8.0.0.1:18080', hosts: expect.any(Number) }],
  });
  expect(hidden.node.reachability().ownAddresses).toEqual([]);
});

test('the port is the one that peers are told', async () => {
  const own = await start('8.0.0.1', { externalPort: 99 });
  expect(own.node.reachability().port).toBe(99);
  await own.node.stop();
  expect(own.node.reachability().port).toBe(0);
});
