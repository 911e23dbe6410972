import { jest } from '@jest/globals';
import { RpcConnectionError } from '../errors.ts';
import type { WatchedClient } from './chain-node.ts';
import { readPaymentsPosition } from './payment.ts';
import { readPosition, Trail, type WatchPosition } from './position.ts';
import { Wakes } from './wakes.ts';
import { watchBlocks } from './watch-blocks.ts';
import { watchPayments } from './watch-payments.ts';
import { watchPool } from './watch-pool.ts';

const idOf = (height: number): string => height.toString(16).padStart(64, '0');
const GENESIS = 'ab'.repeat(32);
const POSITION: WatchPosition = {
  version: 1,
  genesis: GENESIS,
  from: 3,
  height: 12,
  ids: [10, 11, 12].map(idOf),
  work: '340282366920938463463374607431768211455',
};
const PAYMENT = {
  key: 'cd'.repeat(32),
  transaction: 'ef'.repeat(32),
  output: 1,
  amount: '18446744073709551615',
  subaddress: { account: 0, index: 7 },
  paymentId: null,
  isCoinbase: false,
  unlockTime: '0',
  height: 11,
};

test('a position survives its way through a store', () => {
  const text = JSON.stringify({ ...POSITION, unknown: 1 });
  expect(readPosition(JSON.parse(text))).toEqual(POSITION);
  const start = { ...POSITION, height: -1, ids: [], work: '0' };
  expect(readPosition(start)).toEqual(start);
  const withPayments = {
    ...POSITION,
    payments: [PAYMENT, { ...PAYMENT, paymentId: '00'.repeat(8) }],
  };
  expect(readPaymentsPosition(JSON.parse(JSON.stringify(withPayments)))).toEqual(withPayments);
});

const WRONG: [string, object][] = [
  ['version', { version: 2 }],
  ['genesis', { genesis: 'AB'.repeat(32) }],
  ['genesis', { genesis: 5 }],
  ['from', { from: -1 }],
  ['from', { from: '3' }],
  ['height', { height: 1.5 }],
  ['height', { height: -2 }],
  ['work', { work: '-1' }],
  ['work', { work: 7 }],
  ['work', { work: '9'.repeat(40) }],
  ['ids', { ids: undefined }],
  ['ids', { ids: ['x'] }],
  ['ids is empty', { ids: [] }],
  ['ids', { height: 1 }],
  ['ids', { height: 5000, ids: Array.from({ length: 1001 }, () => GENESIS) }],
];

test.each(WRONG)('a position with a wrong %s is refused: %j', (_, wrong) => {
  expect(() => readPosition({ ...POSITION, ...wrong })).toThrow(
    expect.objectContaining({ name: 'WatchError', code: 'bad-position' }) as Error,
  );
});

test.each([undefined, null, 'text', 5, []])('what is no position is refused: %p', (value) => {
  expect(() => readPosition(value)).toThrow(
    expect.objectContaining({ code: 'bad-position' }) as Error,
  );
});

test.each([
  { key: 'cd' },
  { transaction: 'xy'.repeat(32) },
  { output: -1 },
  { amount: 5 },
  { amount: '1e3' },
  { subaddress: undefined },
  { subaddress: { account: 0, index: 2 ** 33 } },
  { paymentId: '00' },
  { unlockTime: '' },
  { height: 9 },
  { height: 13 },
])('a payment in a position with a wrong field is refused: %j', (wrong) => {
  const value = { ...POSITION, payments: [{ ...PAYMENT, ...wrong }] };
  expect(() => readPaymentsPosition(value)).toThrow(
    expect.objectContaining({ code: 'bad-position' }) as Error,
  );
});

test('a position of blocks is none of payments', () => {
  expect(() => readPaymentsPosition(POSITION)).toThrow('payments: no list');
});

test('a trail remembers its newest blocks, and asks for the oldest too', () => {
  const trail = new Trail({ ...POSITION, height: -1, ids: [], from: 0 }, 100);
  const id = (height: number) => Uint8Array.from(Buffer.from(idOf(height), 'hex'));
  for (let height = 0; height < 1000; height++) trail.apply(id(height), 5n);
  expect(trail.position().ids).toEqual(Array.from({ length: 100 }, (_, i) => idOf(900 + i)));
  const history = trail.history();
  expect(history.slice(0, 11)).toEqual(
    [999, 998, 997, 996, 995, 994, 993, 992, 991, 990, 988].map(idOf),
  );
  expect(history.at(-1)).toBe(GENESIS);
  expect(history.at(-2)).toBe(idOf(trail.oldest));
  expect(trail.revert()).toBe(idOf(999));
  expect(trail.position()).toMatchObject({ height: 998, work: POSITION.work });
});

const never = (): Promise<never> => new Promise(() => undefined);
const client: WatchedClient = { rpc: never, path: never, binary: never };
const scanner = { scan: () => [], scanBlocks: () => [] };

test('options are checked', () => {
  const blocks = (options: object) => () => watchBlocks({ client, ...options });
  expect(blocks({ heights: 5 })).toThrow('watchBlocks: no option "heights"; there are client,');
  expect(() => watchBlocks({} as never)).toThrow('watchBlocks: client is missing');
  expect(() => watchPool({ client, from: 5 } as never)).toThrow('watchPool: no option "from"');
  expect(() => watchPayments({ client } as never)).toThrow('watchPayments: scanner is missing');
  for (const wrong of [
    { interval: 0 },
    { timeout: -1 },
    { from: -1 },
    { from: 1.5 },
    { depth: 0 },
    { depth: 1001 },
    { confirmations: 0 },
    { confirmations: 101 },
    { position: POSITION, from: 5 },
    { client: [] },
  ]) {
    expect(blocks(wrong)).toThrow(RangeError);
  }
  expect(blocks({ position: { ...POSITION, version: 0 } })).toThrow('its version is not 1');
  const confirmations = () => watchPayments({ client, scanner, depth: 5, confirmations: 6 });
  expect(confirmations).toThrow(RangeError);
});

test('nothing is asked before the first event is, and all ends with the loop', async () => {
  jest.useFakeTimers();
  let calls = 0;
  const failing = (): Promise<never> => {
    calls++;
    return Promise.reject(new RpcConnectionError('away', { code: 'refused' }));
  };
  const away: WatchedClient = { rpc: failing, path: failing, binary: failing };
  const stop = new AbortController();
  const events = watchBlocks({ client: away, interval: 1000, signal: stop.signal });
  await jest.advanceTimersByTimeAsync(10_000);
  expect(calls).toBe(0);
  const next = events.next();
  await jest.advanceTimersByTimeAsync(3500);
  expect(calls).toBe(4);
  stop.abort();
  await expect(next).rejects.toThrow('aborted');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(calls).toBe(4);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test('an error that is not about a node is not taken for one', async () => {
  const broken = (): Promise<never> => Promise.reject(new TypeError('a fault of the program'));
  const events = watchBlocks({ client: { rpc: broken, path: broken, binary: broken } });
  await expect(events.next()).rejects.toThrow('a fault of the program');
});

test('a wake that fails is told, and the interval goes on', async () => {
  jest.useFakeTimers();
  const told: unknown[] = [];
  async function* wakes() {
    yield 1;
    yield 2;
    await Promise.reject(new Error('gone'));
  }
  const { signal } = new AbortController();
  const waiting = new Wakes(wakes(), 1000, signal, (error) => told.push(error));
  await jest.advanceTimersByTimeAsync(0);
  const woken = waiting.next(); // woken twice, which is once
  await jest.advanceTimersByTimeAsync(100);
  await woken;
  expect(told).toEqual([new Error('gone')]);
  let isOver = false;
  const over = waiting.next().then(() => (isOver = true));
  await jest.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await over;
  waiting.close();
  jest.useRealTimers();
});

test('a flood of wakes leaves a gap between two looks, and a late one wakes at once', async () => {
  jest.useFakeTimers();
  const wakes: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve) => setTimeout(() => resolve({ value: 1 }), 1)),
    }),
  };
  const stop = new AbortController();
  const flooded = new Wakes(wakes, 60_000, stop.signal, () => undefined);
  let looks = 0;
  const looking = (async () => {
    for (;;) {
      await flooded.next();
      looks++;
    }
  })();
  const ended = expect(looking).rejects.toThrow('aborted');
  await jest.advanceTimersByTimeAsync(1000);
  expect(looks).toBe(10);
  stop.abort();
  await ended;
  let wake: () => void = () => undefined;
  async function* late() {
    yield await new Promise<void>((resolve) => (wake = resolve));
  }
  const waiting = new Wakes(late(), 60_000, new AbortController().signal, () => undefined);
  let isOver = false;
  const over = waiting.next().then(() => (isOver = true));
  await jest.advanceTimersByTimeAsync(500);
  expect(isOver).toBe(false);
  wake();
  await jest.advanceTimersByTimeAsync(0);
  await over;
  jest.useRealTimers();
});

test('what is thrown by who is told of a failed wake ends the waiting', async () => {
  async function* wakes() {
    yield await Promise.reject(new Error('gone'));
  }
  const { signal } = new AbortController();
  const waiting = new Wakes(wakes(), 60_000, signal, () => {
    throw new Error('no room for the log');
  });
  await expect(waiting.next()).rejects.toThrow('no room for the log');
});
