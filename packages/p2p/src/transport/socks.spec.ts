import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { guardServer } from '@monero-node/base';
import { settle } from '@monero-node/base/testing';
import { NETWORKS } from '@monero-node/consensus';
import { ipAddress, parsePeerAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { parseSocksEndpoint } from '../net/socks-endpoint.ts';
import type { SocksEndpoint } from '../net/socks-endpoint.ts';
import { SocksServer } from '../testing/socks-server.ts';
import type { SocksServerOptions } from '../testing/socks-server.ts';
import { describeTransport } from '../testing/transport-compliance.ts';
import { connectThroughSocks, createSocksTransport } from './socks.ts';

const servers: SocksServer[] = [];
const greeters: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  for (const greeter of greeters.splice(0)) greeter.close();
});

const direct: SocksServerOptions['route'] = ({ host, port }) =>
  host.startsWith('203.0.113.') ? 'silence' : { host, port };

async function proxy(
  scheme: string,
  options: Partial<SocksServerOptions> = {},
): Promise<{ server: SocksServer; endpoint: SocksEndpoint }> {
  const server = await SocksServer.open({ route: direct, ...options });
  servers.push(server);
  const endpoint = parseSocksEndpoint(`${scheme}${server.address}`);
  if (!endpoint) throw new Error('no endpoint');
  return { server, endpoint };
}

for (const scheme of ['', 'socks4://', 'socks5://']) {
  describeTransport(`SOCKS ${scheme}`, async () => {
    const { endpoint } = await proxy(scheme);
    const transport = createSocksTransport(endpoint);
    return {
      server: transport,
      client: transport,
      host: '127.0.0.1',
      nobody: ipAddress('127.0.0.1', 9) as NetAddress,
      blackHole: ipAddress('203.0.113.1', 9) as NetAddress,
    };
  });
}

/** A server that speaks first. */
async function greeter(): Promise<{ host: string; port: number }> {
  const server = createServer((socket) => socket.write('welcome'));
  greeters.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

async function greeting(endpoint: SocksEndpoint, address: NetAddress): Promise<string> {
  const stream = await createSocksTransport(endpoint).connect(address, { timeoutMs: 5_000 });
  // The first bytes came with the answer of the proxy, and nobody has asked for them yet.
  await settle();
  const heard = await new Promise<string>((resolve) =>
    stream.open({
      onData: (chunk) => resolve(Buffer.from(chunk).toString()),
      onDrain: () => {},
      onClose: () => resolve('closed'),
    }),
  );
  stream.destroy();
  return heard;
}

function address(text: string): NetAddress {
  const parsed = parsePeerAddress(text, 18080);
  if (!parsed) throw new Error(`${text} is no address`);
  return parsed;
}

const ONION = NETWORKS.mainnet.torSeedNodes[0] ?? '';
const I2P = NETWORKS.mainnet.i2pSeedNodes[0] ?? '';

test.each(['', 'socks5://', 'socks5://user%20name:pa%3Ass@'])(
  'the proxy %s is told the names of hidden services, and nothing it forwards is lost',
  async (scheme) => {
    const target = await greeter();
    const login = scheme.includes('@') ? 'user name:pa:ss' : undefined;
    const { server, endpoint } = await proxy(scheme, {
      route: () => target,
      ...(login !== undefined && { login }),
    });
    expect(await greeting(endpoint, address(ONION))).toBe('welcome');
    expect(await greeting(endpoint, address(I2P))).toBe('welcome');
    const version = scheme === '' ? 4 : 5;
    const [host] = ONION.split(':');
    expect(server.requests).toEqual([
      { version, host, port: 18083, ...(login !== undefined && { login }) },
      { version, host: I2P, port: 1, ...(login !== undefined && { login }) },
    ]);
  },
);

test('reaches IPv6 only over SOCKS 5, and no names over SOCKS 4', async () => {
  const target = await greeter();
  const ipv6 = address('[2001:db8::1]:18080');
  const five = await proxy('socks5://', { route: () => target });
  expect(await greeting(five.endpoint, ipv6)).toBe('welcome');
  expect(five.server.requests[0]?.host).toBe('2001:0db8:0000:0000:0000:0000:0000:0001');
  const four = await proxy('socks4://', { route: () => target });
  const fourA = await proxy('', { route: () => target });
  await expect(greeting(fourA.endpoint, ipv6)).rejects.toThrow('not reachable over SOCKS 4a');
  await expect(greeting(four.endpoint, address(ONION))).rejects.toThrow('not reachable');
  expect([...four.server.requests, ...fourA.server.requests]).toEqual([]);
});

test('fails on a refusal, a wrong login and a missing proxy', async () => {
  const refusing = await proxy('', { route: () => undefined });
  await expect(greeting(refusing.endpoint, address('1.2.3.4:5'))).rejects.toThrow();
  const refusing5 = await proxy('socks5://', { route: () => undefined });
  await expect(greeting(refusing5.endpoint, address('1.2.3.4:5'))).rejects.toThrow();
  const strict = await proxy('socks5://a:b@', { login: 'a:c' });
  await expect(greeting(strict.endpoint, address('1.2.3.4:5'))).rejects.toThrow();
  const { server, endpoint } = await proxy('');
  await server.close();
  servers.splice(servers.indexOf(server), 1);
  await expect(greeting(endpoint, address('1.2.3.4:5'))).rejects.toThrow('not reachable');
});

/** A proxy that answers with these bytes, one at a time. */
async function slowProxy(version: '4a' | '5', answer: readonly number[]): Promise<SocksEndpoint> {
  const server = guardServer(
    createServer((socket) => {
      let at = 0;
      const drip = setInterval(() => {
        const byte = answer[at++ % answer.length] ?? 0;
        if (!socket.write(Uint8Array.of(byte))) socket.destroy();
      }, 20);
      socket.on('data', () => undefined).on('close', () => clearInterval(drip));
    }),
  );
  greeters.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, version };
}

// The last one names a host of 255 characters.
test.each<['4a' | '5', number[]]>([
  ['4a', [0]],
  ['5', [5, 0, 5, 0, 0, 3, 255, ...Array<number>(255).fill(97)]],
])('a proxy that drips its answer is given up in time (SOCKS %s)', async (version, answer) => {
  const endpoint = await slowProxy(version, answer);
  const connecting = connectThroughSocks(
    endpoint,
    { host: 'daemon.example', port: 5 },
    { timeoutMs: 100 },
  );
  await expect(connecting).rejects.toThrow();
});

test.each([
  ['127.0.0.1:9050', { host: '127.0.0.1', port: 9050, version: '4a' }],
  ['socks://127.0.0.1:9050', { host: '127.0.0.1', port: 9050, version: '4a' }],
  ['socks4://127.0.0.1:9050', { host: '127.0.0.1', port: 9050, version: '4' }],
  ['socks5://[::1]:9050', { host: '::1', port: 9050, version: '5' }],
  [
    'socks5://u%3a:p%40@127.0.0.1:1/',
    { host: '127.0.0.1', port: 1, version: '5', login: { user: 'u:', password: 'p@' } },
  ],
])('%s', (text, expected) => {
  expect(parseSocksEndpoint(text)).toEqual(expected);
});

test.each([
  '',
  '127.0.0.1',
  'localhost:9050',
  'http://127.0.0.1:1',
  'socks4://u@127.0.0.1:1',
  'socks5://u%zz@127.0.0.1:1',
  '127.0.0.1:0',
])('%j is no proxy', (text) => {
  expect(parseSocksEndpoint(text)).toBeUndefined();
});

test('connects a socket to a host name', async () => {
  const to = await greeter();
  const { server, endpoint } = await proxy('', { route: () => to });
  const target = { host: 'daemon.example', port: 5 };
  const socket = await connectThroughSocks(endpoint, target, { timeoutMs: 5_000 });
  // Data that the host sent before there was a listener is not lost.
  setImmediate(() => socket.resume());
  expect(String((await once(socket, 'data').finally(() => socket.destroy()))[0])).toBe('welcome');
  expect(server.requests).toEqual([{ version: 4, ...target }]);
  const four = parseSocksEndpoint(`socks4://${server.address}`) as SocksEndpoint;
  await expect(connectThroughSocks(four, target, { timeoutMs: 5_000 })).rejects.toThrow(
    'daemon.example is not reachable over SOCKS 4',
  );
});
