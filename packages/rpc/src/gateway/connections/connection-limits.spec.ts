import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ConnectionCounter } from './connection-limits.ts';

let time = 0;

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress = '10.0.0.1';
  destroyed = false;

  constructor(remoteAddress: string, remotePort: number) {
    super();
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    // As a real socket does, after the caller has gone on.
    queueMicrotask(() => this.emit('close'));
  }
}

const LIMITS = { perPublicIp: 3, perPrivateIp: 25, total: 100 };

function setUp(): {
  counter: ConnectionCounter;
  open: (address: string, port?: number) => FakeSocket & Socket;
} {
  const counter = new ConnectionCounter(LIMITS, () => time);
  let ports = 1000;
  return {
    counter,
    open: (address, port = ports++) => new FakeSocket(address, port) as FakeSocket & Socket,
  };
}

test('a new connection replaces the oldest of 100 silent ones', async () => {
  const { counter, open } = setUp();
  const silent = Array.from({ length: 100 }, (_, i) => open(`192.168.0.${i % 4}`));
  for (const socket of silent) {
    time++;
    expect(counter.admit(socket)).toBe(true);
  }
  for (let i = 0; i < 30; i++) {
    time++;
    expect(counter.admit(open(`10.0.0.${i}`))).toBe(true);
    expect(counter.total).toBe(100);
  }
  await Promise.resolve();
  expect(counter.total).toBe(100);
  expect(silent.map(({ destroyed }) => destroyed)).toEqual(silent.map((_, i) => i < 30));
});

test('silent ones go first, then the longest idle, and a running call never', () => {
  const { counter, open } = setUp();
  const [silent, idle, older, serving] = [10, 11, 12, 13].map((n) => open(`10.0.1.${n}`, n));
  const others = Array.from({ length: 96 }, (_, i) => open(`10.0.2.${i}`));
  const all = [serving, older, idle, ...others, silent] as (FakeSocket & Socket)[];
  for (const socket of all) expect(counter.admit(socket)).toBe(true);
  for (const socket of [serving, ...others]) counter.seatOf(socket as Socket).note('serving');
  time++;
  counter.seatOf(older as Socket).note('idle');
  time++;
  counter.seatOf(idle as Socket).note('idle');
  const gone = (): boolean[] =>
    [silent, older, idle, serving].map((one) => one?.destroyed === true);
  expect(counter.admit(open('10.0.3.1'))).toBe(true);
  expect(gone()).toEqual([true, false, false, false]);
  const newest = open('10.0.3.2');
  counter.seatOf(newest).note('serving');
  expect(counter.admit(newest)).toBe(true);
  // The one that came just before is silent.
  expect(gone()).toEqual([true, false, false, false]);
  counter.seatOf(newest).note('serving');
  expect(counter.admit(open('10.0.3.3', 3))).toBe(true);
  expect(gone()).toEqual([true, true, false, false]);
});

test('a client that does not read its answer loses its place after 30 seconds, not before', () => {
  const { counter, open } = setUp();
  const sockets = Array.from({ length: 100 }, (_, i) => open(`10.1.${i}.1`));
  for (const socket of sockets) {
    expect(counter.admit(socket)).toBe(true);
    counter.seatOf(socket).note('sending');
  }
  expect(counter.admit(open('10.2.0.1'))).toBe(false);
  time += 31_000;
  expect(counter.admit(open('10.2.0.1'))).toBe(true);
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([sockets[0]]);
});

test('the limit of one address turns new connections away, however silent the others are', () => {
  const { counter, open } = setUp();
  for (let i = 0; i < 3; i++) expect(counter.admit(open('8.8.8.8'))).toBe(true);
  expect(counter.admit(open('8.8.8.8'))).toBe(false);
  expect(counter.admit(open('8.8.4.4'))).toBe(true);
});

test('a connection that closes makes room once', async () => {
  const { counter, open } = setUp();
  const socket = open('8.8.8.8');
  expect(counter.admit(socket)).toBe(true);
  socket.emit('close');
  socket.emit('close');
  expect(counter.total).toBe(0);
  for (let i = 0; i < 3; i++) expect(counter.admit(open('8.8.8.8'))).toBe(true);
});

test('the connections of an IPv6 /64 are those of one host', async () => {
  const { counter, open } = setUp();
  const sockets = [1, 2, 3].map((n) => open(`2001:db8:1:2::${n}`));
  for (const socket of sockets) expect(counter.admit(socket)).toBe(true);
  expect(counter.admit(open('2001:db8:1:2:ffff::4'))).toBe(false);
  expect(counter.admit(open('2001:db8:1:3::4'))).toBe(true);
  sockets[0]?.destroy();
  await Promise.resolve();
  expect(counter.admit(open('2001:db8:1:2:ffff::4'))).toBe(true);
  // Each address that a dual-stack socket maps is a host.
  for (let i = 0; i < 9; i++) expect(counter.admit(open(`::ffff:8.8.8.${i}`))).toBe(true);
});
