import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import type { FinishedCall } from '@monero-node/rpc';
import { ClientLog } from './client-log.ts';

const MINUTE = 60_000;

const call = (address: string | undefined, changes: Partial<FinishedCall> = {}): FinishedCall => ({
  interface: 'http',
  address,
  request: '/get_info',
  method: 'get_info',
  status: '200',
  isSent: true,
  secondsToAnswer: 0.25,
  seconds: 1,
  bytes: 1500,
  ...changes,
});

function newLog(minutes: number) {
  const lines: string[] = [];
  const page = { isWatched: false };
  const log = new ClientLog({
    minutes,
    logger: { ...silentLogger, info: (line) => lines.push(line) },
    isWatched: () => page.isWatched,
  });
  return { lines, page, log };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('each interval has a line for each client, and counts anew', async () => {
  const { lines, log } = newLog(10);
  await log.start();
  log.onCall(call('192.0.2.1', { bytes: 1_234_567 }));
  log.onCall(call('192.0.2.1'));
  log.onCall(call('2001:db8::1', { secondsToAnswer: 2 }));
  log.onCall(call(undefined));
  await jest.advanceTimersByTimeAsync(10 * MINUTE);
  expect(lines.splice(0)).toEqual([
    'RPC client 2001:db8:0:0::/64: 1 call, 1,500 bytes, 2.0 s in 10 min',
    'RPC client 192.0.2.1: 2 calls, 1,236,067 bytes, 0.5 s in 10 min',
  ]);
  await jest.advanceTimersByTimeAsync(10 * MINUTE);
  expect(lines).toEqual([]);
  log.onCall(call('192.0.2.1'));
  await jest.advanceTimersByTimeAsync(3 * MINUTE);
  await log.stop();
  expect(lines).toEqual(['RPC client 192.0.2.1: 1 call, 1,500 bytes, 0.3 s in 3 min']);
  expect(log.uses.top(9).map(({ calls }) => calls)).toEqual([1, 3]);
});

test('a node that stops soon says in how few seconds', async () => {
  const { lines, log } = newLog(60);
  await log.start();
  log.onCall(call('192.0.2.1'));
  await jest.advanceTimersByTimeAsync(20_000);
  await log.stop();
  expect(lines).toEqual(['RPC client 192.0.2.1: 1 call, 1,500 bytes, 0.3 s in 20 s']);
});

test('whoever opens the page again sees nothing of before, though no call came meanwhile', async () => {
  const { page, log } = newLog(0);
  await log.start();
  page.isWatched = true;
  log.onCall(call('192.0.2.1'));
  page.isWatched = false;
  log.watched();
  page.isWatched = true;
  expect([log.uses.since, log.uses.top(9)]).toEqual([undefined, []]);
});

test('with lines, figures are kept when the page is opened', async () => {
  const { log } = newLog(10);
  log.onCall(call('192.0.2.1'));
  log.watched();
  expect(log.uses.top(9)).toHaveLength(1);
  await log.stop();
});

test('many clients have few lines', async () => {
  const { lines, log } = newLog(1);
  await log.start();
  for (let i = 0; i < 5000; i += 1) log.onCall(call(`10.0.${i >> 8}.${i & 255}`));
  await jest.advanceTimersByTimeAsync(MINUTE);
  await log.stop();
  expect(lines).toHaveLength(21);
  expect(lines[20]).toBe('Other RPC clients: 4,980 calls, 7,470,000 bytes, 1245.0 s in 1 min');
});

test('without the option nothing is counted unless the page is open, and then anew each time', async () => {
  const { lines, page, log } = newLog(0);
  await log.start();
  expect(log.wantsCalls()).toBe(false);
  log.onCall(call('192.0.2.1'));
  expect(log.uses.since).toBeUndefined();
  page.isWatched = true;
  expect(log.wantsCalls()).toBe(true);
  log.onCall(call('192.0.2.1'));
  expect(log.uses.top(9)).toHaveLength(1);
  page.isWatched = false;
  expect(log.wantsCalls()).toBe(false);
  expect(log.uses.top(9)).toEqual([]);
  await jest.advanceTimersByTimeAsync(60 * MINUTE);
  await log.stop();
  expect(lines).toEqual([]);
});
