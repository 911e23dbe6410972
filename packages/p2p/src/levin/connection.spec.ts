import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { TokenBucket } from '@monero-node/base';
import { MemoryStream } from '../testing/memory-stream.ts';
import { recordedFrame } from '../testing/recorded/frames.ts';
import { LevinConnection } from './connection.ts';
import {
  LEVIN_ERROR_CONNECTION_DESTROYED,
  LEVIN_ERROR_TIMED_OUT,
  decodeHeader,
  encodeInvoke,
  encodeNotify,
  encodeResponse,
} from './frame.ts';
import type { LevinHandler } from './handler.ts';
import { InvokeError } from './pending-invokes.ts';

const BODY = Uint8Array.of(1, 2, 3);

interface Setup {
  stream: MemoryStream;
  connection: LevinConnection;
  handler: LevinHandler;
  log: string[];
}

function setup(
  options: { handler?: Partial<LevinHandler>; rate?: number; stream?: MemoryStream } = {},
): Setup {
  const stream = options.stream ?? new MemoryStream();
  const log: string[] = [];
  const rate = options.rate ?? 1e9;
  const now = (): number => Date.now();
  const connection = new LevinConnection({
    stream,
    incoming: true,
    limiters: { up: new TokenBucket(rate, now), down: new TokenBucket(rate, now) },
    logger: silentLogger,
    now,
  });
  const handler: LevinHandler = {
    onInvoke: (command) => {
      log.push(`invoke ${command}`);
      return { returnCode: 1, body: BODY };
    },
    onNotify: (command) => void log.push(`notify ${command}`),
    onClose: (reason) => void log.push(`closed: ${reason}`),
    ...options.handler,
  };
  connection.open(handler);
  return { stream, connection, handler, log };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Lets promises and immediate callbacks run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await jest.advanceTimersByTimeAsync(0);
}

test('passes messages to the handler and sends its answers', async () => {
  const { stream, log } = setup();
  stream.receive(recordedFrame('supportFlagsRequest').bytes, recordedFrame('fluffyBlock').bytes);
  await settle();
  expect(log).toEqual(['invoke 1007', 'notify 2008']);
  expect(stream.take()).toEqual(encodeResponse(1007, 1, BODY));
});

test('assigns answers to invokes in order', async () => {
  const { stream, connection } = setup();
  const ping = connection.invoke(1003, BODY);
  const flags = connection.invoke(1007, BODY);
  const { bytes: pong, body: pongBody } = recordedFrame('pingResponse');
  const { bytes: answer, body } = recordedFrame('supportFlagsResponse');
  stream.receive(pong, answer);
  await settle();
  expect(await ping).toEqual(pongBody);
  expect(await flags).toEqual(body);
});

test('measures how long the peer takes to answer', async () => {
  const { stream, connection } = setup();
  expect(connection.roundTripMs).toBeUndefined();
  const ping = connection.invoke(1003, BODY);
  await jest.advanceTimersByTimeAsync(120);
  stream.receive(recordedFrame('pingResponse').bytes);
  await settle();
  await ping;
  expect(connection.roundTripMs).toBe(120);
});

test('resolves an answer before it handles the next message', async () => {
  const order: string[] = [];
  const { stream, connection } = setup({
    handler: { onNotify: (command) => void order.push(`notify ${command}`) },
  });
  const greeting = connection.invoke(1003, BODY).then(async () => {
    await Promise.resolve();
    order.push('answered');
  });
  const both = [...recordedFrame('pingResponse').bytes, ...recordedFrame('chainRequest').bytes];
  stream.receive(Uint8Array.from(both));
  await settle();
  await greeting;
  expect(order).toEqual(['answered', 'notify 2006']);
});

test('a refused invoke rejects and leaves the connection open', async () => {
  const { stream, connection } = setup();
  const refused = connection.invoke(4321, BODY);
  const outcome = expect(refused).rejects.toMatchObject({ returnCode: -6 });
  stream.receive(recordedFrame('unknownResponse').bytes);
  await settle();
  await outcome;
  expect(connection.closed).toBe(false);
});

test('an unsolicited answer closes the connection', () => {
  const { stream, log } = setup();
  stream.receive(recordedFrame('pingResponse').bytes);
  expect(log).toEqual(['closed: response without an invoke']);
  expect(stream.destroyed).toBe(true);
});

test('an unanswered invoke times out and rejects all others', async () => {
  const { connection, log } = setup();
  const slow = connection.invoke(1002, BODY);
  const quick = connection.invoke(1007, BODY, { timeoutMs: 5_000 });
  const outcomes = Promise.allSettled([slow, quick]);
  await jest.advanceTimersByTimeAsync(4_999);
  expect(connection.closed).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(connection.closed).toBe(true);
  const [first, second] = await outcomes;
  expect(second).toMatchObject({ reason: { returnCode: LEVIN_ERROR_TIMED_OUT } });
  expect(first).toMatchObject({ reason: { returnCode: LEVIN_ERROR_CONNECTION_DESTROYED } });
  expect(log).toHaveLength(1);
  await expect(connection.invoke(1003, BODY)).rejects.toThrow(InvokeError);
});

test('an arriving body extends the time-out of an invoke, but not of a handshake', async () => {
  const frame = encodeResponse(1002, 1, new Uint8Array(5_000));
  const { stream, connection } = setup();
  const answer = connection.invoke(1002, BODY, { timeoutMs: 5_000 });
  for (let at = 0; at < frame.length; at += 1000) {
    await jest.advanceTimersByTimeAsync(4_000);
    stream.receive(frame.subarray(at, at + 1000));
  }
  await settle();
  expect(await answer).toHaveLength(5_000);

  const other = setup();
  const handshake = other.connection.invoke(1001, BODY, {
    timeoutMs: 5_000,
    restartOnProgress: false,
  });
  const outcome = expect(handshake).rejects.toMatchObject({ returnCode: LEVIN_ERROR_TIMED_OUT });
  other.stream.receive(encodeResponse(1001, 1, new Uint8Array(5_000)).subarray(0, 1000));
  await jest.advanceTimersByTimeAsync(5_000);
  await outcome;
});

test('chunks below 512 bytes do not count as progress', async () => {
  const { stream, connection } = setup();
  const frame = encodeResponse(1002, 1, new Uint8Array(5_000));
  const answer = connection.invoke(1002, BODY, { timeoutMs: 5_000 });
  const outcome = expect(answer).rejects.toMatchObject({ returnCode: LEVIN_ERROR_TIMED_OUT });
  stream.receive(frame.subarray(0, 500));
  await jest.advanceTimersByTimeAsync(4_000);
  stream.receive(frame.subarray(500, 1000));
  await jest.advanceTimersByTimeAsync(1_000);
  await outcome;
});

test('handles one message at a time and reads nothing meanwhile', async () => {
  const started: number[] = [];
  let finish = (): void => {};
  const { stream } = setup({
    handler: {
      onNotify: (command) => {
        started.push(command);
        return new Promise((resolve) => (finish = resolve));
      },
    },
  });
  stream.receive(encodeNotify(2006, BODY), encodeNotify(2003, BODY));
  expect(started).toEqual([2006]);
  expect(stream.paused).toBe(true);
  finish();
  await settle();
  expect(started).toEqual([2006, 2003]);
  finish();
  await settle();
  expect(stream.paused).toBe(false);
});

test('a failing handler closes only its own connection', async () => {
  const { stream, connection } = setup({
    handler: { onNotify: () => Promise.reject(new Error('out of luck')) },
  });
  stream.receive(encodeNotify(2006, BODY));
  await settle();
  expect(connection.closed).toBe(true);
});

test('rejects unwanted messages at their header', () => {
  const { stream, connection } = setup({ handler: { accepts: (command) => command !== 2004 } });
  connection.allowLargePackets();
  stream.receive(encodeNotify(2004, new Uint8Array(90_000_000)).subarray(0, 33));
  expect(connection.closed).toBe(true);
});

test('raises the packet limit after the handshake', () => {
  const header = encodeNotify(2004, new Uint8Array(300_000)).subarray(0, 33);
  const before = setup();
  before.stream.receive(header);
  expect(before.connection.closed).toBe(true);
  const after = setup();
  after.connection.allowLargePackets();
  after.stream.receive(header);
  expect(after.connection.closed).toBe(false);
});

test('closes a remote connection without an answer after ten seconds', async () => {
  const { stream, log } = setup();
  for (let i = 0; i < 20; i++) {
    stream.receive(encodeNotify(2010, BODY).subarray(i, i + 1));
    await jest.advanceTimersByTimeAsync(500);
  }
  await jest.advanceTimersByTimeAsync(100);
  expect(log).toEqual(['closed: idle for too long']);
});

test('closes a silent remote peer after five minutes and a local one after thirty', async () => {
  const local = new MemoryStream({ kind: 'ipv4', host: '127.0.0.1', port: 1 });
  const [far, near] = [setup(), setup({ stream: local })];
  for (const { connection } of [far, near]) connection.notify(2010, BODY);
  await jest.advanceTimersByTimeAsync(299_000);
  expect([far.connection.closed, near.connection.closed]).toEqual([false, false]);
  await jest.advanceTimersByTimeAsync(2_000);
  expect([far.connection.closed, near.connection.closed]).toEqual([true, false]);
  await jest.advanceTimersByTimeAsync(1_500_000);
  expect(near.connection.closed).toBe(true);
});

test('waits for a full stream, and closes one that stays full', () => {
  const { stream, connection } = setup();
  stream.accepting = false;
  connection.notify(2008, BODY);
  connection.notify(2008, BODY);
  expect(stream.written).toHaveLength(1);
  stream.accepting = true;
  stream.handlers?.onDrain();
  expect(stream.written).toHaveLength(2);
  stream.accepting = false;
  for (let i = 0; i < 1002; i++) connection.notify(2008, BODY);
  expect(connection.closed).toBe(true);
});

test('sends large messages in pieces at the allowed rate', async () => {
  const { stream, connection } = setup({ rate: 256 * 1024 });
  connection.notify(2004, new Uint8Array(1024 * 1024));
  const sent = (): number => stream.written.reduce((sum, part) => sum + part.length, 0);
  expect(sent()).toBeLessThanOrEqual(512 * 1024);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(sent()).toBeLessThanOrEqual(768 * 1024);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(sent()).toBe(1024 * 1024 + 33);
  expect(Math.max(...stream.written.map((part) => part.length))).toBe(128 * 1024);
  expect(decodeHeader(stream.written[0] ?? BODY).length).toBe(1024 * 1024);
});

test('stops reading while the rate is exceeded', async () => {
  const { stream } = setup({ rate: 1000 });
  const frame = encodeNotify(2010, new Uint8Array(3_000));
  stream.receive(frame);
  expect(stream.paused).toBe(true);
  await jest.advanceTimersByTimeAsync(1_900);
  expect(stream.paused).toBe(true);
  await jest.advanceTimersByTimeAsync(300);
  expect(stream.paused).toBe(false);
});

test('leaves no timers', async () => {
  const { connection } = setup({ rate: 10 });
  const invoke = connection.invoke(1002, new Uint8Array(1000));
  const outcome = expect(invoke).rejects.toThrow('enough');
  connection.close('enough');
  await outcome;
  expect(jest.getTimerCount()).toBe(0);
});

test('encodes an invoke and its answer like monerod', async () => {
  const { stream, connection } = setup();
  void connection.invoke(1007, recordedFrame('supportFlagsRequest').body).catch(() => {});
  expect(stream.take()).toEqual(recordedFrame('supportFlagsRequest').bytes);
  stream.receive(encodeInvoke(1003, BODY));
  await settle();
  expect(stream.take()).toEqual(encodeResponse(1003, 1, BODY));
  connection.close('done');
});
