import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLogger, type Logger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { NETWORKS } from '@monero-node/consensus';
import type { Network } from '@monero-node/consensus';
import type { P2pOptions } from './options/options.ts';
import { FakeChain } from './testing/fake-chain.ts';
import { pass, passUntil, stopTime } from './testing/fake-time.ts';
import { MemoryNetwork } from './testing/memory-network.ts';
import { TestNodes } from './testing/test-node.ts';
import type { TestNode } from './testing/test-node.ts';

jest.setTimeout(30_000);

/** Nodes on machines with public addresses, in a network of their own. */
const nodes = new TestNodes();
let network: MemoryNetwork;
beforeEach(() => void (network = new MemoryNetwork()));
afterEach(async () => {
  await nodes.stop();
  jest.useRealTimers();
});

const PORT = 18080;

function start(
  host: string,
  options: Partial<P2pOptions> = {},
  deps: { chain?: FakeChain; now?: () => number; logger?: Logger } = {},
): Promise<TestNode> {
  return nodes.start(
    { bindPort: PORT, ...options },
    { transport: network.machine(host), random: () => 0, ...deps },
  );
}

function white({ node }: TestNode): string[] {
  return node.peerLists().white.map(({ host, port }) => `${host}:${port}`);
}

test('both sides of a connection add each other as white peers', async () => {
  const a = await start('9.0.0.1');
  const b = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await until(() => white(a).length === 1 && white(b).length === 1);
  expect(white(b)).toEqual(['9.0.0.1:18080']);
  expect(white(a)).toEqual(['8.0.0.1:18080']); // by asking back
});

test('nodes that share an address learn which limit of the other node keeps them out', async () => {
  const lines: string[] = [];
  const logger = { ...silentLogger, warn: (line: string) => void lines.push(line) };
  await start(
    '10.0.0.9',
    { maxConnectionsPerIp: 1 },
    { logger: { ...logger, child: () => logger } },
  );
  const first = await start('10.0.0.7', { priorityNodes: ['10.0.0.9'] });
  await until(() => first.node.outgoingCount === 1);
  const second = await start('10.0.0.7', { priorityNodes: ['10.0.0.9'], bindPort: 18090 });
  const trouble = (): string => second.node.fixedPeers()[0]?.trouble ?? '';
  await until(() => trouble() !== '');
  expect(trouble()).toBe(
    'closed by the peer before it had answered: it is full, has banned this host, is of another network, or has as many connections from this address as it takes (its --max-connections-per-ip, 1 by default)',
  );
  await until(() => lines.length > 0);
  expect(lines).toEqual([
    'refused a connection of 10.0.0.7, which has as many as it may: --max-connections-per-ip is 1',
  ]);
});

test('does not ping back a peer that hides its port', async () => {
  stopTime();
  const a = await start('9.0.0.1');
  const b = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'], hideMyPort: true });
  await passUntil(() => b.node.synchronized);
  await pass(2_000);
  expect(white(a)).toEqual([]);
  expect(network.dials).toEqual(['8.0.0.1>9.0.0.1:18080']);
});

test('learns of peers of peers and connects to them', async () => {
  const hub = await start('9.0.0.1');
  const first = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await until(() => white(hub).length === 1);
  const second = await start('7.0.0.1', { addPeers: ['9.0.0.1'] });
  await until(() => second.node.outgoingCount === 2);
  // A peer that asks back has an incoming connection for a moment.
  const outgoing = second.node.connections().filter(({ incoming }) => !incoming);
  expect(outgoing.map(({ host }) => host).sort()).toEqual(['8.0.0.1', '9.0.0.1']);
  expect(first.node.incomingCount).toBe(1);
});

test('dials only exclusive nodes, and dials them again', async () => {
  const hub = await start('9.0.0.1');
  await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await until(() => white(hub).length === 1);
  const loner = await start('7.0.0.1', { exclusiveNodes: ['9.0.0.1', '6.0.0.1:5'] });
  await until(() => loner.node.outgoingCount === 1 && loner.node.grayCount === 1);
  await until(() => network.dials.filter((dial) => dial === '7.0.0.1>6.0.0.1:5').length >= 2);
  expect(network.dials.filter((dial) => dial.startsWith('7.0.0.1>8.'))).toEqual([]);
});

test.each([
  ['keeps its exclusive node: there are no others to look for', 'exclusiveNodes', 1],
  ['makes room for others once all wanted peers are connected', 'priorityNodes', 3],
])('%s', async (_, name, dials) => {
  stopTime();
  await start('9.0.0.1');
  const { node } = await start('7.0.0.1', { [name]: ['9.0.0.1'], outPeers: 1 });
  await passUntil(() => node.synchronized);
  await pass(210_000);
  await passUntil(() => node.outgoingCount === 1);
  expect(network.dials.filter((dial) => dial === '7.0.0.1>9.0.0.1:18080')).toHaveLength(dials);
});

test('does not dial a host for an hour after a failure', async () => {
  stopTime();
  let now = Date.now();
  const node = await start('7.0.0.1', { addPeers: ['6.0.0.1'] }, { now: () => now });
  const dials = (): number => network.dials.length;
  await passUntil(() => dials() === 1);
  await pass(10_000);
  expect(dials()).toBe(1);
  now += 3_601_000;
  await passUntil(() => dials() === 2);
  expect(node.node.whiteCount).toBe(1);
});

test('takes the lists of seed nodes and disconnects', async () => {
  const other = await start('9.0.0.1');
  const seed = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await until(() => white(seed).length === 1);
  const newcomer = await start('7.0.0.1', { seedNodes: ['8.0.0.1'] });
  await until(() => newcomer.node.connections().some(({ host }) => host === '9.0.0.1'));
  await until(() => newcomer.node.outgoingCount === 1);
  expect(network.dials).toContain('7.0.0.1>8.0.0.1:18080');
  expect(other.node.incomingCount).toBeGreaterThan(0);
});

test('looks up seed names on public networks and never on regtest', async () => {
  const asked: string[] = [];
  const resolver = (host: string): Promise<string[]> => {
    asked.push(host);
    return Promise.resolve(['5.0.0.1']);
  };
  const run = async (name: keyof typeof NETWORKS, host: string): Promise<void> => {
    const chain = new FakeChain();
    const onNetwork = new Proxy(chain, {
      get: (target, key) => {
        if (key === 'network') return NETWORKS[name] satisfies Network;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await nodes.start(
      { bindPort: PORT },
      { transport: network.machine(host), resolver, chain: onNetwork },
    );
  };
  stopTime();
  await run('regtest', '7.0.0.1');
  await pass(10_000);
  expect([asked, network.dials]).toEqual([[], []]);
  await run('mainnet', '7.0.0.2');
  await passUntil(() => network.dials.length > 3);
  expect(asked.sort()).toEqual([...NETWORKS.mainnet.seedHosts].sort());
  expect(network.dials).toContain('7.0.0.2>5.0.0.1:18080');
  expect(network.dials.some((dial) => dial.includes(NETWORKS.mainnet.seedNodes[0] ?? '?'))).toBe(
    true,
  );
});

test('keeps lists and anchors over a restart', async () => {
  await start('9.0.0.1');
  const first = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await until(() => white(first).length === 1);
  await first.node.stop();
  const saved = JSON.parse(await readFile(join(first.dataDir, 'p2p-peers.json'), 'utf8')) as {
    anchor: { address: string }[];
  };
  expect(saved.anchor).toMatchObject([{ address: '9.0.0.1:18080' }]);
  network.dials.length = 0;
  const second = await start('8.0.0.1', { dataDir: first.dataDir });
  await until(() => second.node.outgoingCount === 1 && second.node.synchronized);
  expect(network.dials).toContain('8.0.0.1>9.0.0.1:18080');
});

test('starts with a broken peer file', async () => {
  const { writeFile } = await import('node:fs/promises');
  const first = await start('8.0.0.1');
  await first.node.stop();
  await writeFile(join(first.dataDir, 'p2p-peers.json'), '{"format":');
  const second = await start('8.0.0.1', { dataDir: first.dataDir });
  expect(second.node.listenPort).toBe(PORT);
});

test('neither accepts nor dials banned hosts and subnets of the ban list', async () => {
  stopTime();
  const a = await start('9.0.0.1', { banList: ['# bad', '8.0.0.0/8', 'x'] });
  const b = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  const c = await start('7.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await passUntil(() => c.node.synchronized);
  expect(a.node.connections().map(({ host }) => host)).toEqual(['7.0.0.1']);
  expect(b.node.synchronized).toBe(false);
  expect(a.node.banned('8.4.4.4')).toBeGreaterThan(1e9);
  c.node.ban('9.0.0.1', 60);
  expect([c.node.outgoingCount, c.node.whiteCount]).toEqual([0, 0]);
  network.dials.length = 0;
  await pass(10_000);
  expect(network.dials.filter((dial) => dial.startsWith('7.'))).toEqual([]);
});

test('neither accepts nor dials hosts in a banned subnet of IPv6', async () => {
  const a = await start('2001:db8:9::1', { banList: ['[2001:db8:8::]/48', 'x'] });
  const b = await start('2001:db8:8::1', { priorityNodes: ['[2001:db8:9::1]'] });
  const c = await start('2001:db8:7::1', { priorityNodes: ['[2001:db8:9::1]'] });
  await until(() => c.node.synchronized);
  expect(a.node.connections().map(({ host }) => host)).toEqual(['2001:db8:7::1']);
  expect(b.node.synchronized).toBe(false);
  expect(c.node.ban('2001:db8:9::/64', 60)).toBe(true);
  expect([c.node.outgoingCount, c.node.whiteCount]).toEqual([0, 0]);
  expect(c.node.fixedPeers()).toMatchObject([{ trouble: expect.stringMatching(/banned for/) }]);
});

test('makes no more outgoing connections than wanted', async () => {
  const hosts = Array.from({ length: 5 }, (_, i) => `9.0.${i}.1`);
  stopTime();
  await Promise.all(hosts.map((host) => start(host)));
  const node = await start('8.0.0.1', { priorityNodes: hosts, outPeers: 2 });
  await passUntil(() => node.node.outgoingCount === 2);
  await pass(10_000);
  expect(node.node.outgoingCount).toBe(2);
  node.node.setOutPeers(4);
  await passUntil(() => node.node.outgoingCount === 4);
});

test('timed syncs bring new heights and peers not sent before', async () => {
  stopTime();
  const a = await start('9.0.0.1');
  const b = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await pass(0);
  const c = await start('7.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await pass(0);
  expect(b.node.peerLists().gray).toEqual([]);
  a.chain.grow(10);
  await pass(61_000);
  await pass(1_000);
  expect([b.chain.height, c.chain.height]).toEqual([11, 11]);
  const { gray, white: known } = b.node.peerLists();
  expect([...gray, ...known].map(({ host }) => host)).toContain('7.0.0.1');
});

test('removes a gray peer that does not answer, and turns one that does white', async () => {
  const hub = await start('9.0.0.1');
  const gone = await start('8.0.0.1', { priorityNodes: ['9.0.0.1'] });
  const stays = await start('6.0.0.1', { priorityNodes: ['9.0.0.1'] });
  await until(() => white(hub).length === 2);
  stopTime();
  const node = await start('7.0.0.1', { priorityNodes: ['9.0.0.1'], outPeers: 1 });
  await pass(0);
  expect(node.node.grayCount).toBe(2);
  await gone.node.stop();
  for (let i = 0; i < 4; i++) await pass(60_000);
  expect(node.node.grayCount).toBe(0);
  expect(white(node).sort()).toEqual(['6.0.0.1:18080', '9.0.0.1:18080']);
  expect(stays.node.incomingCount).toBe(0);
});
