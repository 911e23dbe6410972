import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { silentLogger } from '@monero-node/base';
import { ConnectionCounter } from './connection-limits.ts';
import { createPortShares } from '../../scheduling/port-shares.ts';
import { Listener } from './listener.ts';
import { onceTrue } from '../../testing/rounds.ts';
import { createPortBudgets } from '../limits/port-budgets.ts';

const LIMITS = { perPublicIp: 3, perPrivateIp: 3, total: 2 };

/** A listener that hands all its connections over to a made-up process. */
class Handing {
  readonly connections = new ConnectionCounter(LIMITS);
  readonly there: (() => void)[] = [];
  readonly sockets: Socket[] = [];
  /** This process's ends of the connections that were handed over. */
  readonly handed: Socket[] = [];
  readonly listener: Listener;
  port = 0;
  asked = 0;

  /** @param makeRoom returns whether the other process closes one of its connections */
  constructor(makeRoom: (self: Handing) => Promise<boolean>) {
    this.listener = new Listener(
      {
        host: '127.0.0.1',
        port: 0,
        connections: this.connections,
        secure: undefined,
        handshakes: () => createPortBudgets(createPortShares().owner, false).handshakes,
        p2p: { banned: () => undefined, banNotice: () => undefined },
        logger: silentLogger,
        handOver: (socket) => {
          this.handed.push(socket);
          this.there.push(this.connections.move(socket).release);
          return true;
        },
        makeRoom: () => {
          this.asked++;
          return makeRoom(this);
        },
      },
      () => undefined,
    );
  }

  async open(localAddress = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port: this.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    this.sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async stop(): Promise<void> {
    for (const socket of [...this.sockets, ...this.handed]) socket.destroy();
    await this.listener.stop();
  }
}

async function handing(makeRoom: (self: Handing) => Promise<boolean>): Promise<Handing> {
  const made = new Handing(makeRoom);
  made.port = await made.listener.start();
  return made;
}

test('a newcomer waits until another process has closed an idle connection, and is let in', async () => {
  const node = await handing(async ({ there }) => {
    await new Promise((resolve) => setImmediate(resolve));
    there.shift()?.();
    return true;
  });
  for (let i = 0; i < 12; i++) await node.open();
  await onceTrue(() => node.asked === 10 && node.there.length === 2);
  expect(node.connections.total).toBe(2);
  expect(node.sockets.map(({ destroyed }) => destroyed)).toEqual(Array(12).fill(false));
  await node.stop();
});

test('a newcomer is turned away when the other process has only busy ones', async () => {
  const node = await handing(() => Promise.resolve(false));
  for (let i = 0; i < 2; i++) await node.open();
  const late = await node.open();
  late.resume();
  await once(late, 'close');
  expect([node.connections.total, node.asked]).toEqual([2, 1]);
  await node.stop();
});

test('an idle connection of this process goes only when the others have none to close', async () => {
  const answers = [true, true, false];
  const node = await handing(({ there }) => {
    const isMade = answers.shift() ?? false;
    if (isMade) there.shift()?.();
    return Promise.resolve(isMade);
  });
  const kept = new EventEmitter() as Socket;
  Object.assign(kept, { remoteAddress: '192.168.0.1', destroy: () => (keptIsClosed = true) });
  let keptIsClosed = false;
  expect(node.connections.admit(kept)).toBe(true);
  node.connections.seatOf(kept).note('idle');
  await node.open();
  await onceTrue(() => node.there.length === 1);
  for (const [asked, isClosed] of [
    [1, false],
    [2, false],
    [3, true],
  ] as const) {
    await node.open();
    await onceTrue(() => node.asked === asked && node.connections.total === 2);
    if (isClosed) await onceTrue(() => keptIsClosed);
    expect(keptIsClosed).toBe(isClosed);
  }
  await node.stop();
});

test('a connection that is being handed over is not closed here, where it would stay open there', async () => {
  const connections = new ConnectionCounter({ ...LIMITS, total: 1 });
  const node = await handing(() => Promise.resolve(false));
  const [socket] = [await node.open()];
  await onceTrue(() => node.there.length === 1);
  expect(connections.admit(socket)).toBe(true);
  connections.setAway(socket, true);
  expect(connections.closeIdlest()).toBeUndefined();
  connections.setAway(socket, false);
  expect(connections.closeIdlest()).toBe(socket);
  await node.stop();
});

// Linux has all addresses of 127.0.0.0/8.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('no more than 64 newcomers wait at a time', async () => {
  const pending: (() => void)[] = [];
  const node = await handing(() => new Promise((resolve) => pending.push(() => resolve(false))));
  for (let i = 0; i < 2; i++) await node.open('127.0.0.1');
  const hosts = Array.from({ length: 70 }, (_, i) => `127.0.1.${i + 1}`);
  for (const host of hosts) (await node.open(host)).resume();
  await onceTrue(() => node.sockets.filter(({ destroyed }) => destroyed).length === 6);
  expect(node.asked).toBe(64);
  for (const refuse of pending) refuse();
  await onceTrue(() => node.sockets.filter(({ destroyed }) => destroyed).length === 70);
  await node.stop();
});
