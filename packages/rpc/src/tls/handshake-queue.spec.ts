import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { Callers } from '../gateway/limits/callers.ts';
import { CallerGroup } from '../scheduling/time-shares.ts';
import { HandshakeQueue } from './handshake-queue.ts';

class FakeSocket extends EventEmitter {
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** A port whose handshakes take a given time. */
class Port {
  readonly callers: Callers;
  readonly queue: HandshakeQueue;
  /** Addresses in the order of their handshakes. */
  readonly served: string[] = [];
  /** Milliseconds that the handshakes have taken. */
  spent = 0;

  constructor() {
    this.callers = new Callers(new CallerGroup({ msPerSecond: 800 }, this.now));
    this.queue = new HandshakeQueue(this.callers, this.now);
  }

  readonly now = (): number => performance.now() + this.spent;

  enter(address: string, costMs: number): FakeSocket {
    const socket = new FakeSocket();
    this.queue.enter(address, socket, (done) => {
      this.served.push(address);
      this.spent += costMs;
      done();
    });
    return socket;
  }

  enterMany(count: number, address: (i: number) => string, costMs: number): FakeSocket[] {
    return Array.from({ length: count }, (_, i) => this.enter(address(i), costMs));
  }

  /** Fails when it takes ten seconds. */
  runUntilServed(address: string): void {
    for (let ms = 0; !this.served.includes(address); ms++) {
      if (ms > 10_000) throw new Error(`${address} was not served`);
      jest.advanceTimersByTime(1);
    }
  }
}

const FLOOD = '203.0.113.1';
const INNOCENT = '198.51.100.7';
const RSA_MS = 10;
const hostsOfFlood = (i: number): string => `203.0.113.${i}`;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a handshake begins at once while there is time, and the next one in another round of the event loop', () => {
  const port = new Port();
  port.enter(FLOOD, 1);
  port.enter(FLOOD, 1);
  port.enter(INNOCENT, 1);
  expect(port.served).toEqual([FLOOD]);
  jest.advanceTimersToNextTimer();
  expect(port.served).toHaveLength(2);
  jest.advanceTimersToNextTimer();
  expect(port.served).toHaveLength(3);
});

/** Keeps a flood up for some seconds of the port's time. */
function keepUp(port: Port, seconds: number, flood: () => void): void {
  const end = port.now() + 1000 * seconds;
  while (port.now() < end) {
    flood();
    jest.advanceTimersByTime(1);
  }
}

test('one host gets 200 ms a second for its handshakes, whatever it sends', () => {
  const port = new Port();
  keepUp(port, 10, () => port.enter(FLOOD, RSA_MS));
  // Allows for the saved time, and for a handshake begun in its last millisecond.
  expect(port.spent).toBeLessThanOrEqual(10 * 200 + 200 + 2 * RSA_MS);
  expect(port.spent).toBeGreaterThan(10 * 200 - RSA_MS);
});

test('all hosts together get 400 ms a second, and calls of the same port the less of theirs', () => {
  const port = new Port();
  let host = 0;
  keepUp(port, 10, () => port.enter(`10.0.${(host >> 8) & 255}.${host++ & 255}`, RSA_MS));
  expect(port.spent).toBeLessThanOrEqual(10 * 400 + 400 + 2 * RSA_MS);
  expect(port.spent).toBeGreaterThan(10 * 400 - RSA_MS);
  expect(port.callers.of('10.0.0.0').group.used).toBe(port.spent);
});

test('two addresses of an IPv6 /64 are one host', () => {
  const port = new Port();
  let i = 0;
  keepUp(port, 10, () => port.enter(`2001:db8::${(++i & 0xffff).toString(16)}`, RSA_MS));
  expect(port.spent).toBeLessThanOrEqual(10 * 200 + 200 + 2 * RSA_MS);
});

test('an innocent host waits for one handshake of each host that floods, not for all that wait', () => {
  const port = new Port();
  keepUp(port, 3, () => port.enterMany(4, (i) => hostsOfFlood(i), RSA_MS));
  expect(port.queue.waiting).toBeGreaterThan(100);
  const arrived = port.now();
  const before = port.served.length;
  port.enter(INNOCENT, RSA_MS);
  port.runUntilServed(INNOCENT);
  expect(port.served.length - before).toBeLessThanOrEqual(5);
  expect(port.now() - arrived).toBeLessThan(250);
});

test('the same while new hosts come all the time: at most 32 handshakes wait before it', () => {
  const port = new Port();
  let host = 0;
  const newHost = (): string => `10.0.${(host >> 8) & 255}.${host++ & 255}`;
  keepUp(port, 3, () => port.enter(newHost(), RSA_MS));
  expect(port.queue.waiting).toBe(32);
  const before = port.served.length;
  port.enter(INNOCENT, RSA_MS);
  port.runUntilServed(INNOCENT);
  expect(port.served.length - before).toBe(32);
});

test('of one host 32 wait and of a port 128; the oldest of the host with the most is closed', () => {
  const port = new Port();
  // The budgets are spent: all of these wait.
  port.enterMany(1, () => FLOOD, 5000);
  port.enterMany(1, () => INNOCENT, 5000);
  jest.advanceTimersToNextTimer();
  const first = port.enterMany(40, () => FLOOD, 1);
  expect(first.map(({ destroyed }) => destroyed)).toEqual(
    Array.from({ length: 40 }, (_, i) => i < 8),
  );
  const few = port.enterMany(10, () => INNOCENT, 1);
  for (const i of [2, 3, 4, 5]) port.enterMany(32, () => hostsOfFlood(i), 1);
  expect(port.queue.waiting).toBe(128);
  expect(few.every(({ destroyed }) => !destroyed)).toBe(true);
});

test('when dear handshakes of many hosts wait, those of the host that has used most are closed', () => {
  const port = new Port();
  port.enter(FLOOD, 400);
  jest.advanceTimersToNextTimer();
  port.enter(INNOCENT, 300);
  jest.advanceTimersToNextTimer();
  // Nobody may begin for a while. 32 hosts may wait.
  const flood = port.enterMany(3, () => FLOOD, 1);
  const others = port.enterMany(31, (i) => `192.0.2.${i}`, 1);
  expect(flood.some(({ destroyed }) => destroyed)).toBe(false);
  const last = port.enter('192.0.2.99', 1);
  expect(flood.every(({ destroyed }) => destroyed)).toBe(true);
  expect([...others, last].some(({ destroyed }) => destroyed)).toBe(false);
});

test('a client that has left costs nothing', () => {
  const port = new Port();
  port.enter(FLOOD, 5000);
  const left = port.enter(INNOCENT, 1);
  left.destroy();
  expect(port.queue.waiting).toBe(0);
  port.enter(FLOOD, 1).destroy();
  jest.advanceTimersByTime(60_000);
  expect(port.served).toEqual([FLOOD]);
  expect(jest.getTimerCount()).toBe(0);
});
