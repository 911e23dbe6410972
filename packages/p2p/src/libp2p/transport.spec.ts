import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { settle, until } from '@monero-node/base/testing';
import { ipAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { BanList } from '../peers/bans/bans.ts';
import type { TransportStream } from '../transport/transport.ts';
import { InboundGate } from './inbound-gate.ts';
import { checkLibp2pListen, parseLibp2pPeer } from './parse-multiaddress.ts';
import { Libp2pTransport } from './transport.ts';

jest.setTimeout(30_000);

const started: { transport: Libp2pTransport; dataDir: string }[] = [];
afterEach(async () => {
  for (const { transport, dataDir } of started.splice(0)) {
    await transport.stop();
    await rm(dataDir, { recursive: true });
  }
});

async function start(
  options: { listen?: string[]; peers?: string[] },
  onStream: (stream: TransportStream) => void = () => {},
): Promise<Libp2pTransport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'libp2p-transport-'));
  const transport = new Libp2pTransport({
    dataDir,
    listen: options.listen ?? [],
    peers: options.peers ?? [],
    mdnsTag: undefined,
    logger: silentLogger,
    gate: new InboundGate({ maxPerHost: 10, isBanned: () => false }),
  });
  started.push({ transport, dataDir });
  await transport.start(onStream);
  return transport;
}

/** One end of a stream. */
class End {
  readonly stream: TransportStream;
  received = 0;
  last = '';
  closes = 0;
  drains = 0;

  constructor(stream: TransportStream) {
    this.stream = stream;
    stream.open({
      onData: (chunk) => {
        this.received += chunk.length;
        this.last = Buffer.from(chunk.subarray(-20)).toString('latin1');
      },
      onDrain: () => this.drains++,
      onClose: () => this.closes++,
    });
  }
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe.each([
  ['TCP', '/ip4/127.0.0.1/tcp/0'],
  ['WebSocket', '/ip4/127.0.0.1/tcp/0/ws'],
])('a stream over %s', (_, at) => {
  async function connected(): Promise<{ client: End; server: End }> {
    const accepted: TransportStream[] = [];
    const listener = await start({ listen: [at] }, (stream) => void accepted.push(stream));
    const dialler = await start({ peers: listener.addresses });
    const [address] = dialler.peers;
    if (!address) throw new Error('nobody to dial');
    const client = new End(await dialler.connect(address, { timeoutMs: 5_000 }));
    await until(() => accepted.length > 0);
    const [stream] = accepted;
    if (!stream) throw new Error('nothing was accepted');
    return { client, server: new End(stream) };
  }

  test('carries bytes both ways between the peers with those ids', async () => {
    const { client, server } = await connected();
    client.stream.write(bytes('one '));
    client.stream.write(bytes('two'));
    server.stream.write(bytes('three'));
    await until(() => server.received === 7 && client.last === 'three');
    expect(client.stream.remote.kind).toBe('libp2p');
    expect(client.stream.remote.host).not.toBe(server.stream.remote.host);
    expect(server.stream.via).toMatchObject({ kind: 'ipv4', host: '127.0.0.1' });
  });

  test('sends the queue before it ends, and reports the end once on both sides', async () => {
    const { client, server } = await connected();
    client.stream.write(new Uint8Array(2_000_000));
    client.stream.end();
    await until(() => client.closes + server.closes === 2);
    expect(server.received).toBe(2_000_000);
    client.stream.destroy();
    server.stream.destroy();
    client.stream.write(bytes('into the void'));
    await settle(50);
    expect([client.closes, server.closes]).toEqual([1, 1]);
  });

  test('applies back-pressure while it carries a hundred windows', async () => {
    const { client, server } = await connected();
    server.stream.pause();
    const chunk = new Uint8Array(128 * 1024);
    let sent = 0;
    const write = (): boolean => {
      sent += chunk.length;
      return client.stream.write(chunk);
    };
    while (write()) if (sent > 20_000_000) throw new Error('never told to wait');
    await settle(50);
    expect(server.received).toBe(0);
    server.stream.resume();
    for (let drains = 0; sent < 40_000_000; drains = client.drains) {
      await until(() => client.drains > drains);
      while (sent < 40_000_000 && write());
    }
    await until(() => server.received === sent, 20_000);
    expect(client.closes).toBe(0);
  });
});

test('dials a peer found on the local network', async () => {
  const accepted: TransportStream[] = [];
  const listener = await start(
    { listen: ['/ip4/127.0.0.1/tcp/0'] },
    (stream) => void accepted.push(stream),
  );
  const [address = ''] = listener.addresses;
  const [place = '', id = ''] = address.split('/p2p/');
  const dialler = await start({});
  dialler.noteFound(id, [place]);
  const found: NetAddress = { kind: 'libp2p', host: id, port: 0 };
  expect(dialler.peers).toEqual([found]);
  const stream = await dialler.connect(found, { timeoutMs: 5_000 });
  await until(() => accepted.length === 1);
  // Incoming peers are not dialled in turn.
  expect(listener.peers).toEqual([]);
  stream.destroy();
});

test('dials nothing that a node of the local network must not choose for it', async () => {
  const own = await start({ listen: ['/ip4/127.0.0.1/tcp/0'] });
  const id = own.addresses[0]?.split('/p2p/').at(-1) ?? '';
  const dialler = await start({});
  dialler.noteFound(id, ['/unix/%2Fa', '/ip4/127.0.0.1/udp/1', 'nonsense']);
  const found: NetAddress = { kind: 'libp2p', host: id, port: 0 };
  await expect(dialler.connect(found, { timeoutMs: 2_000 })).rejects.toThrow(/not known/);
});

test('remembers a bounded number of local peers and does not redial failures at once', async () => {
  const dialler = await start({});
  const ids = Array.from({ length: 40 }, (_, i) => `12D3KooW${'a'.repeat(42)}${i + 11}`);
  const own = await start({ listen: ['/ip4/127.0.0.1/tcp/0'] });
  const [place = '', id = ''] = own.addresses[0]?.split('/p2p/') ?? [];
  await own.stop();
  dialler.noteFound(id, [place]);
  for (const other of ids) dialler.noteFound(other, []);
  expect(dialler.peers).toHaveLength(32);
  const found: NetAddress = { kind: 'libp2p', host: id, port: 0 };
  await expect(dialler.connect(found, { timeoutMs: 2_000 })).rejects.toThrow();
  expect(dialler.peers).toHaveLength(31);
});

test('the key file is readable by its owner only', async () => {
  await start({});
  const dataDir = started[0]?.dataDir ?? '';
  expect((await stat(join(dataDir, 'libp2p.key'))).mode & 0o777).toBe(0o600);
});

test('rejects unknown peers and requests to listen', async () => {
  const transport = await start({});
  const stranger: NetAddress = { kind: 'libp2p', host: '12D3KooWxyz', port: 0 };
  await expect(transport.connect(stranger, { timeoutMs: 100 })).rejects.toThrow(/not known/);
  await expect(transport.listen()).rejects.toThrow();
});

test('the inbound gate limits connections per host and refuses banned ones', () => {
  const bans = new BanList(Date.now);
  const gate = new InboundGate({
    maxPerHost: 2,
    isBanned: (host) => bans.secondsLeft(host) !== undefined,
  });
  const from = (host: string): NetAddress => ipAddress(host, 1) as NetAddress;
  const leave = gate.enter(from('1.2.3.4'));
  expect(gate.enter(from('1.2.3.4'))).toBeDefined();
  expect(gate.enter(from('1.2.3.4'))).toBeUndefined();
  expect(gate.enter(from('1.2.3.5'))).toBeDefined();
  leave?.();
  leave?.();
  expect(gate.enter(from('1.2.3.4'))).toBeDefined();
  expect(gate.enter(from('1.2.3.4'))).toBeUndefined();
  bans.banText('9.0.0.0/8', 100);
  expect(gate.enter(from('9.1.1.1'))).toBeUndefined();
});

test('the oldest connection that has not shaken hands goes when there are more than 64, and none that has', () => {
  const gate = new InboundGate({ maxPerHost: 100, isBanned: () => false });
  const aborted: number[] = [];
  const connections = Array.from({ length: 80 }, (_, i) => ({
    abort: () => void aborted.push(i),
    addEventListener: () => undefined,
  }));
  connections.forEach((connection, i) => {
    gate.awaitHandshake(connection, ipAddress(`10.0.0.${i}`, 1) as NetAddress);
    if (i < 10) gate.handshakeDone(connection);
  });
  expect(aborted).toEqual([10, 11, 12, 13, 14, 15]);
});

describe('the budget for Noise handshakes', () => {
  const openGate = (now: () => number): InboundGate =>
    new InboundGate({ maxPerHost: 100, isBanned: () => false, now });
  const from = (host: string): NetAddress => ipAddress(host, 1) as NetAddress;
  const admitted = async (gate: InboundGate, hosts: string[]): Promise<number> => {
    const asked = await Promise.all(hosts.map((host) => gate.handshake(from(host))));
    return asked.filter((isAdmitted) => isAdmitted).length;
  };

  test('a host has five a second, and does not spend those of others', async () => {
    let now = 0;
    const gate = openGate(() => now);
    const many = Array.from({ length: 100 }, () => '1.2.3.4');
    expect(await admitted(gate, many)).toBe(5);
    expect(await admitted(gate, ['1.2.3.5'])).toBe(1);
    now = 1000;
    expect(await admitted(gate, many)).toBe(5);
  });

  test('all hosts together have 30 a second; as many more wait, and the rest is refused', async () => {
    const gate = openGate(() => 0);
    const waiting: Promise<boolean>[] = [];
    for (let i = 0; i < 100; i++) waiting.push(gate.handshake(from(`10.0.0.${i}`)));
    const answers = await Promise.all(waiting);
    expect(answers.filter((isAdmitted) => isAdmitted)).toHaveLength(60);
    expect(answers.slice(60)).toEqual(answers.slice(60).map(() => false));
  });
});

test('fifteen silent sockets do not keep a peer out', async () => {
  const accepted: TransportStream[] = [];
  const listener = await start(
    { listen: ['/ip4/127.0.0.1/tcp/0'] },
    (stream) => void accepted.push(stream),
  );
  const port = Number(/tcp\/(\d+)/.exec(listener.addresses[0] ?? '')?.[1]);
  const silent = Array.from({ length: 15 }, (_, i) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.9.${i + 1}` }),
  );
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  const dialler = await start({ peers: listener.addresses });
  const [address] = dialler.peers;
  if (!address) throw new Error('nobody to dial');
  await dialler.connect(address, { timeoutMs: 5_000 });
  await until(() => accepted.length > 0);
  for (const socket of silent) socket.destroy();
});

describe('addresses', () => {
  const ID = '12D3KooWQYV9dGMFoRzNStwpXztXaBUjtPqi6aU76ZgUriHhKust';

  test.each([
    `/ip4/1.2.3.4/tcp/1/p2p/${ID}`,
    `/ip6/::1/tcp/1/ws/p2p/${ID}`,
    `/dns4/node.example/tcp/443/tls/ws/p2p/${ID}`,
    `/dns/node.example/tcp/443/wss/p2p/${ID}`,
  ])('%s', (text) => {
    expect(parseLibp2pPeer(text).address).toEqual({ kind: 'libp2p', host: ID, port: 0 });
  });

  test.each([
    '',
    'nonsense',
    '1.2.3.4:5',
    '/ip4/1.2.3.4/tcp/1',
    `/p2p/${ID}`,
    `/ip4/1.2.3.4/udp/1/quic-v1/p2p/${ID}`,
    `/ip4/1.2.3.4/tcp/1/p2p/${ID}/p2p-circuit/p2p/${ID}`,
    `/ip4/1.2.3.4/tcp/1/p2p/${ID.slice(0, -20)}`,
  ])('%j is no peer', (text) => {
    expect(() => parseLibp2pPeer(text)).toThrow();
  });

  test('to listen on', () => {
    for (const text of ['/ip4/0.0.0.0/tcp/0', '/ip6/::/tcp/1', '/ip4/1.2.3.4/tcp/1/ws'])
      expect(() => checkLibp2pListen(text)).not.toThrow();
    for (const text of ['/ip4/0.0.0.0', '/tcp/1', '/ip4/1.2.3.4/tcp/1/tls/ws', '/dns4/a/tcp/1'])
      expect(() => checkLibp2pListen(text)).toThrow();
  });
});
