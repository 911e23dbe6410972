import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import type { P2pOptions } from './options/options.ts';
import { pass, passUntil, stopTime } from './testing/fake-time.ts';
import { MemoryNetwork } from './testing/memory-network.ts';
import { TestNodes } from './testing/test-node.ts';
import type { TestNode } from './testing/test-node.ts';

jest.setTimeout(30_000);

const nodes = new TestNodes();
const servers: Server[] = [];
afterEach(async () => {
  await nodes.stop();
  for (const server of servers.splice(0)) server.close();
  jest.useRealTimers();
});

/** Listens on a port of loopback; undefined on a machine without that protocol. */
function occupy(host: string): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(0, host, () => {
      servers.push(server);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

const hasIpv6 = (await occupy('::1')) !== undefined;
const withIpv6 = hasIpv6 ? test : test.skip;

async function freePort(host: string): Promise<number> {
  const port = (await occupy(host)) ?? 0;
  const server = servers.pop();
  await new Promise((resolve) => server?.close(resolve));
  return port;
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    servers.push({ close: () => socket.destroy() } as unknown as Server);
  });
}

const IPV6: Partial<P2pOptions> = { useIpv6: true, bindIpv6: '::1' };

withIpv6('listens on both protocols, on one port or two', async () => {
  const port = await freePort('::1');
  const both = await nodes.start({ ...IPV6, bindPort: port, bindIp: '0.0.0.0', bindIpv6: '::' });
  expect(both.node.listenPort).toBe(port);
  expect(await connects('127.0.0.1', port)).toBe(true);
  expect(await connects('::1', port)).toBe(true);
  await until(() => both.node.incomingCount === 2);
  const kinds = both.node.connections().map(({ addressType, host }) => `${addressType} ${host}`);
  expect(kinds.sort()).toEqual(['1 127.0.0.1', '2 ::1']);
  const other = await freePort('::1');
  const two = await nodes.start({ ...IPV6, bindPortIpv6: other });
  expect(two.node.listenPort).not.toBe(other);
  expect(await connects('::1', other)).toBe(true);
});

withIpv6('does not listen on IPv6 unless told to', async () => {
  const port = await freePort('::1');
  await nodes.start({ bindPort: port, bindIpv6: '::1' });
  expect(await connects('127.0.0.1', port)).toBe(true);
  expect(await connects('::1', port)).toBe(false);
});

withIpv6('nodes shake hands over IPv6 and synchronize', async () => {
  const port = await freePort('::1');
  const a = await nodes.start({ ...IPV6, bindPortIpv6: port });
  a.chain.grow(5);
  const b = await nodes.start({ priorityNodes: [`[::1]:${port}`] });
  await until(() => b.chain.height === 6);
  expect(b.node.connections()[0]).toMatchObject({
    address: `[::1]:${port}`,
    addressType: 2,
    ip: '::1',
    localhost: true,
  });
  a.node.ban('::1', 60);
  await until(() => b.node.outgoingCount === 0);
  expect(await connects('::1', port)).toBe(true); // and closed at once
  expect(a.node.incomingCount).toBe(0);
});

withIpv6('goes on without IPv4 when that was allowed', async () => {
  const taken = (await occupy('127.0.0.1')) ?? 0;
  const port = await freePort('::1');
  const options = { ...IPV6, bindPort: taken, bindPortIpv6: port };
  await expect(nodes.start(options)).rejects.toThrow('EADDRINUSE');
  const node = await nodes.start({ ...options, ignoreIpv4: true });
  expect(node.node.listenPort).toBe(port);
  expect(await connects('::1', port)).toBe(true);
  const bothTaken = { ...options, ignoreIpv4: true, bindPortIpv6: port };
  await expect(nodes.start(bothTaken)).rejects.toThrow('EADDRINUSE');
  const ipv4Only = await nodes.start({ ...IPV6, bindPortIpv6: port });
  expect(ipv4Only.node.listenPort).toBeGreaterThan(0);
});

describe('peers with IPv6 addresses', () => {
  const PORT = 18080;
  let network: MemoryNetwork;
  beforeEach(() => void (network = new MemoryNetwork()));

  const start = (host: string, options: Partial<P2pOptions> = {}): Promise<TestNode> =>
    nodes.start(
      { bindPort: PORT, ...options },
      { transport: network.machine(host), random: () => 0 },
    );

  test('are passed on by all nodes but dialled only with IPv6 enabled', async () => {
    stopTime();
    const hub = await start('9.0.0.1');
    await start('2001:db8::1', { priorityNodes: ['9.0.0.1'] });
    await passUntil(() => hub.node.whiteCount === 1);
    expect(hub.node.peerLists().white[0]).toMatchObject({ host: '2001:db8::1', ip: 0 });
    const plain = await start('7.0.0.1', { priorityNodes: ['9.0.0.1'] });
    await start('7.0.1.1', { priorityNodes: ['9.0.0.1'], useIpv6: true });
    await passUntil(() => network.dials.includes('7.0.1.1>2001:db8::1:18080'));
    await passUntil(() => plain.node.peerLists().gray.some(({ host }) => host === '2001:db8::1'));
    await pass(10_000);
    expect(network.dials.filter((dial) => dial.startsWith('7.0.0.1>2001'))).toEqual([]);
  });

  test('are spread over /32 subnets', async () => {
    const hub = await start('9.0.0.1');
    for (const host of ['2001:db8::1', '2001:db8:1::1', '2001:db9::1'])
      await start(host, { priorityNodes: ['9.0.0.1'], outPeers: 1 });
    await until(() => hub.node.whiteCount === 3);
    const node = await start('7.0.0.1', {
      priorityNodes: ['9.0.0.1'],
      outPeers: 3,
      useIpv6: true,
    });
    await until(() => node.node.outgoingCount === 3);
    const outgoing = node.node.connections().filter(({ incoming }) => !incoming);
    const hosts = outgoing.map(({ host }) => host);
    expect(hosts).toContain('2001:db9::1');
    expect(hosts.filter((host) => host.startsWith('2001:db8:'))).toHaveLength(1);
  });

  test('are limited per /64 when they connect', async () => {
    stopTime();
    const hub = await start('9.0.0.1', { maxConnectionsPerIp: 1 });
    for (const host of ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:3::1'])
      await start(host, { priorityNodes: ['9.0.0.1'], outPeers: 1 });
    await passUntil(() => hub.node.incomingCount === 2);
    await pass(10_000);
    const hosts = hub.node.connections().map(({ host }) => host);
    expect(hosts.sort()).toEqual(['2001:db8:1:2::1', '2001:db8:1:3::1']);
  });
});
