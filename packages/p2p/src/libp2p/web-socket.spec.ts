import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { guardEmitter, randomBelow, seededRandom, silentLogger } from '@monero-node/base';
import type { RandomSource } from '@monero-node/base';
import { settle, until } from '@monero-node/base/testing';
import { pass, stopTime } from '../testing/fake-time.ts';
import {
  BareWebSocketServer,
  frame,
  MALFORMED_FRAMES,
  upgradedSocket,
} from '../testing/web-socket-frames.ts';
import type { TransportStream } from '../transport/transport.ts';
import { InboundGate } from './inbound-gate.ts';
import { Libp2pTransport } from './transport.ts';

jest.setTimeout(60_000);

const ID = '12D3KooWQYV9dGMFoRzNStwpXztXaBUjtPqi6aU76ZgUriHhKust';

const started: { transport: Libp2pTransport; dataDir: string }[] = [];
const servers: BareWebSocketServer[] = [];
afterEach(async () => {
  for (const { transport, dataDir } of started.splice(0)) {
    await transport.stop();
    await rm(dataDir, { recursive: true });
  }
  for (const server of servers.splice(0)) await server.close();
});

async function start(
  options: { listen?: string[]; peers?: string[]; maxPerHost?: number },
  onStream: (stream: TransportStream) => void = () => {},
): Promise<Libp2pTransport> {
  const { listen = [], peers = [], maxPerHost = 20 } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'web-socket-'));
  const transport = new Libp2pTransport({
    dataDir,
    listen,
    peers,
    mdnsTag: undefined,
    logger: silentLogger,
    gate: new InboundGate({ maxPerHost, isBanned: () => false }),
  });
  started.push({ transport, dataDir });
  await transport.start(onStream);
  return transport;
}

const portOf = (transport: Libp2pTransport): number =>
  Number(/\/tcp\/(\d+)\//.exec(transport.addresses[0] ?? '')?.[1]);

/** Two nodes, joined by a link that must outlive whatever happens to others. */
class Link {
  echoed = 0;
  closes = 0;
  readonly listener: Libp2pTransport;
  readonly stream: TransportStream;

  private constructor(listener: Libp2pTransport, stream: TransportStream) {
    this.listener = listener;
    this.stream = stream;
    stream.open({
      onData: (chunk) => (this.echoed += chunk.length),
      onDrain: () => {},
      onClose: () => this.closes++,
    });
  }

  static async make(): Promise<Link> {
    const listen = ['/ip4/127.0.0.1/tcp/0/ws'];
    const listener = await start({ listen }, (stream) =>
      stream.open({
        onData: (chunk) => stream.write(chunk),
        onDrain: () => {},
        onClose: () => {},
      }),
    );
    const dialler = await start({ peers: listener.addresses });
    const [address] = dialler.peers;
    if (!address) throw new Error('nobody to dial');
    return new Link(listener, await dialler.connect(address, { timeoutMs: 5_000 }));
  }

  async expectAlive(): Promise<void> {
    const before = this.echoed;
    this.stream.write(new Uint8Array(1000));
    for (let i = 0; this.echoed < before + 1000 && i < 1e5; i++) await settle(1);
    expect(this.echoed).toBe(before + 1000);
    expect(this.closes).toBe(0);
  }
}

const isClosed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));

describe('a malformed frame ends its own link only', () => {
  test.each(MALFORMED_FRAMES)('inbound: %s', async (_, bytes) => {
    const link = await Link.make();
    const socket = await upgradedSocket(portOf(link.listener));
    socket.write(bytes(true));
    await isClosed(socket);
    await link.expectAlive();
  });

  test.each(MALFORMED_FRAMES)('dialled: %s', async (_, bytes) => {
    const link = await Link.make();
    const server = new BareWebSocketServer(() => bytes(false));
    servers.push(server);
    const peers = [`/ip4/127.0.0.1/tcp/${await server.listen()}/ws/p2p/${ID}`];
    const dialler = await start({ peers });
    const [address] = dialler.peers;
    if (!address) throw new Error('nobody to dial');
    await expect(dialler.connect(address, { timeoutMs: 5_000 })).rejects.toThrow();
    expect(server.upgrades).toBe(1);
    await until(() => server.open === 0);
    await link.expectAlive();
  });
});

test('10,000 frames of random bytes, inbound and dialled, end only their links', async () => {
  const link = await Link.make();
  const port = portOf(link.listener);
  const random = seededRandom(1);
  const bytes = (): Uint8Array => randomFrame(random, true);
  for (let sent = 0; sent < 9_000;) {
    const socket = await upgradedSocket(port);
    for (let i = 0; i < 30 && !socket.destroyed; i++, sent++) socket.write(bytes());
    socket.end();
    await isClosed(socket);
  }
  const frames = (): Uint8Array =>
    Buffer.concat(Array.from({ length: 10 }, () => randomFrame(random, false)));
  const server = new BareWebSocketServer(frames);
  servers.push(server);
  const peers = [`/ip4/127.0.0.1/tcp/${await server.listen()}/ws/p2p/${ID}`];
  const dialler = await start({ peers });
  const [address] = dialler.peers;
  if (!address) throw new Error('nobody to dial');
  for (let dials = 0; server.upgrades < 100 && dials < 1_000; dials++) {
    // Frames that happen to be well formed leave it waiting for the rest. On a busy machine a dial may end before it has reached the server.
    await dialler.connect(address, { timeoutMs: 100 }).catch(() => {});
  }
  expect(server.upgrades).toBeGreaterThanOrEqual(100);
  await link.expectAlive();
});

/** Returns random bytes, half of the time behind the head of a well-formed frame. */
function randomFrame(random: RandomSource, masked: boolean): Uint8Array {
  const payload = Array.from({ length: 1 + randomBelow(100, random) }, () =>
    randomBelow(256, random),
  );
  if (random() < 0.5) return Uint8Array.from(payload);
  const opcodes = [0x82, 0x02, 0x80, 0x81, 0x88, 0x89];
  return frame(opcodes[randomBelow(6, random)] ?? 0x82, payload, masked);
}

describe('a link over WebSocket', () => {
  beforeEach(stopTime);
  afterEach(() => jest.useRealTimers());

  test('outlives the time that a socket has to become one', async () => {
    const link = await Link.make();
    for (let i = 0; i < 2; i++) {
      await pass(60_000);
      await link.expectAlive();
    }
  });

  test('is not had by a socket that says nothing, nor by one that says no more', async () => {
    const { listener } = await Link.make();
    const silent = guardEmitter(connect(portOf(listener), '127.0.0.1'));
    const partly = guardEmitter(connect(portOf(listener), '127.0.0.1'));
    partly.write('GET / HTTP/1.1\r\n');
    const closed = [silent, partly].map(isClosed);
    await pass(9_000);
    expect([silent.destroyed, partly.destroyed]).toEqual([false, false]);
    await pass(1_000);
    await Promise.all(closed);
  });
});

test('sockets above the limit per host are closed, and places become free again', async () => {
  const listen = ['/ip4/127.0.0.1/tcp/0/ws'];
  const port = portOf(await start({ listen, maxPerHost: 2 }));
  const inside = [await upgradedSocket(port), await upgradedSocket(port)];
  await expect(upgradedSocket(port)).rejects.toThrow('refused');
  inside[0]?.destroy();
  for (let tries = 0; tries < 2000; tries++) {
    const another = await upgradedSocket(port).catch(() => undefined);
    if (another !== undefined) return void another.destroy();
  }
  throw new Error('the place never became free');
});

test('a request that is no WebSocket is told so and closed', async () => {
  const { listener } = await Link.make();
  const answer = await fetch(`http://127.0.0.1:${portOf(listener)}/`);
  expect(answer.status).toBe(426);
});
