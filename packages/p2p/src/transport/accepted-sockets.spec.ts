import { mkdtemp, rm } from 'node:fs/promises';
import { connect, Server } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { guardEmitter, silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { InboundGate } from '../libp2p/inbound-gate.ts';
import { Libp2pTransport } from '../libp2p/transport.ts';
import { upgradedSocket } from '../testing/web-socket-frames.ts';
import { createTcpTransport } from './tcp.ts';

jest.setTimeout(30_000);

const accepted: Socket[] = [];
beforeEach(() => {
  accepted.length = 0;
  const { emit } = Server.prototype;
  jest.spyOn(Server.prototype, 'emit').mockImplementation(function (
    this: Server,
    ...args: unknown[]
  ) {
    if (args[0] === 'connection') accepted.push(args[1] as Socket);
    return Reflect.apply(emit, this, args) as boolean;
  });
});
afterEach(() => jest.restoreAllMocks());

/** Fails as a network does: with an error that no code of ours has caused. */
async function breakAccepted(): Promise<void> {
  await until(() => accepted.length > 0);
  const [socket] = accepted;
  if (!socket) throw new Error('nothing was accepted');
  socket.destroy(new Error('broken'));
  await until(() => socket.closed);
}

test('an accepted TCP socket may fail', async () => {
  const listener = await createTcpTransport().listen({ host: '127.0.0.1', port: 0 }, () => {});
  const client = guardEmitter(connect(listener.port, '127.0.0.1'));
  await breakAccepted();
  client.destroy();
  await listener.close();
});

test.each([
  ['TCP', '/ip4/127.0.0.1/tcp/0', false],
  ['WebSocket, before the upgrade', '/ip4/127.0.0.1/tcp/0/ws', false],
  ['WebSocket, after it', '/ip4/127.0.0.1/tcp/0/ws', true],
])('an accepted libp2p socket may fail: %s', async (_, at, upgrade) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'accepted-'));
  const transport = new Libp2pTransport({
    dataDir,
    listen: [at],
    peers: [],
    mdnsTag: undefined,
    logger: silentLogger,
    gate: new InboundGate({ maxPerHost: 10, isBanned: () => false }),
  });
  await transport.start(() => {});
  const port = Number(/\/tcp\/(\d+)\//.exec(transport.addresses[0] ?? '')?.[1]);
  const client = upgrade ? await upgradedSocket(port) : guardEmitter(connect(port, '127.0.0.1'));
  await breakAccepted();
  client.destroy();
  await transport.stop();
  await rm(dataDir, { recursive: true });
});
