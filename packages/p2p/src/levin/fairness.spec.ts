import { jest } from '@jest/globals';
import { ByteBudget, SharedSlice, silentLogger, TokenBucket } from '@monero-node/base';
import { keepBusy, settle } from '@monero-node/base/testing';
import { concatBytes } from '@monero-node/codec';
import { COMMANDS } from '../messages/commands.ts';
import { MemoryStream } from '../testing/memory-stream.ts';
import { LevinConnection } from './connection.ts';
import type { LevinConnectionOptions } from './connection.ts';
import { encodeInvoke, encodeNotify, LEVIN_HEADER_SIZE } from './frame.ts';
import type { LevinHandler } from './handler.ts';

const NOTHING = new Uint8Array(0);
const OBJECTS_REQUEST = encodeNotify(COMMANDS.requestObjects, NOTHING);

function connect(
  handler: Partial<LevinHandler> | ((connection: LevinConnection) => Partial<LevinHandler>),
  options: Partial<LevinConnectionOptions> = {},
) {
  const stream = new MemoryStream();
  const closed: string[] = [];
  const now = (): number => Date.now();
  const connection: LevinConnection = new LevinConnection({
    stream,
    incoming: true,
    logger: silentLogger,
    now,
    limiters: { up: new TokenBucket(1e12, now), down: new TokenBucket(1e12, now) },
    ...options,
  });
  connection.open({
    onInvoke: () => ({ returnCode: 1, body: NOTHING }),
    onNotify: () => undefined,
    onClose: (reason) => void closed.push(reason),
    ...(typeof handler === 'function' ? handler(connection) : handler),
  });
  connection.allowLargePackets();
  return { stream, connection, closed };
}

function times(count: number, frame: Uint8Array): Uint8Array {
  return concatBytes(...Array.from({ length: count }, () => frame));
}

test('690 chain requests in one read leave the event loop free', async () => {
  let handled = 0;
  const { connection, stream } = connect({
    onNotify: () => {
      keepBusy(1);
      handled++;
    },
  });
  stream.receive(times(690, encodeNotify(COMMANDS.requestChain, NOTHING)));
  expect(handled).toBeLessThan(50);
  let most = 0;
  for (let before = handled; handled < 250; before = handled) {
    await settle(1);
    most = Math.max(most, handled - before);
  }
  expect(most).toBeLessThan(50);
  expect(stream.paused).toBe(true);
  connection.close('done');
});

test('20,000 pings are answered in turns', async () => {
  let handled = 0;
  const { connection, stream } = connect({
    onInvoke: () => {
      keepBusy(0.2);
      handled++;
      return { returnCode: 1, body: NOTHING };
    },
  });
  stream.receive(times(1_900, encodeInvoke(COMMANDS.ping, NOTHING)));
  expect(handled).toBeLessThan(250);
  let rounds = 0;
  for (; handled < 1_900; rounds++) await settle(1);
  expect(rounds).toBeGreaterThan(8);
  connection.close('done');
});

test('a hundred peers share one slice, and each gets its turn', async () => {
  const turns = new SharedSlice();
  const handled = new Map<number, number>();
  const total = (): number => [...handled.values()].reduce((sum, count) => sum + count, 0);
  const peers = Array.from({ length: 100 }, (_, i) =>
    connect(
      {
        onNotify: () => {
          keepBusy(1);
          handled.set(i, (handled.get(i) ?? 0) + 1);
        },
      },
      { turns },
    ),
  );
  for (const { stream } of peers) stream.receive(times(10, OBJECTS_REQUEST));
  // Without a shared slice, all of the thousand or one slice of each peer.
  expect(total()).toBeLessThan(50);
  while (total() < 150) await settle(1);
  expect(handled.size).toBeGreaterThan(90);
  for (const { connection } of peers) connection.close('done');
});

test('a request waits until the peer has read the answers to others', async () => {
  let handled = 0;
  const { connection, stream } = connect((connection) => ({
    onNotify: () => {
      handled++;
      connection.notify(COMMANDS.responseObjects, new Uint8Array(600_000));
    },
  }));
  stream.accepting = false;
  stream.receive(times(100, OBJECTS_REQUEST));
  for (let i = 0; i < 20; i++) await settle(1);
  expect(handled).toBeLessThan(5);
  expect(stream.paused).toBe(true);
  const before = handled;
  for (let i = 0; i < 40; i++) {
    stream.handlers?.onDrain();
    await settle(1);
  }
  expect(handled).toBeGreaterThan(before);
  connection.close('done');
});

test('an answer is made as the peer reads it', () => {
  const { connection, stream } = connect({});
  let made = 0;
  function* pieces(): Generator<Uint8Array, void> {
    for (let i = 0; i < 100; i++) {
      made++;
      yield new Uint8Array(600_000);
    }
  }
  stream.accepting = false;
  connection.notifyLazy(COMMANDS.responseObjects, { length: 60_000_000, pieces: pieces() });
  for (let i = 0; i < 10; i++) stream.handlers?.onDrain();
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(5);
  connection.close('done');
});

test('long answers to several peers are all completed', async () => {
  const turns = new SharedSlice({ roundMs: 1 });
  function* pieces(): Generator<Uint8Array, void> {
    for (let i = 0; i < 20; i++) {
      keepBusy(2);
      yield new Uint8Array(1000);
    }
  }
  const peers = Array.from({ length: 5 }, () => connect({}, { turns }));
  for (const { connection } of peers)
    connection.notifyLazy(COMMANDS.responseObjects, { length: 20_000, pieces: pieces() });
  for (let i = 0; i < 300; i++) await settle(1);
  for (const { connection, stream } of peers) {
    expect(stream.take().length).toBe(20_000 + LEVIN_HEADER_SIZE);
    connection.close('done');
  }
});

test('what waits for all peers together is bounded', () => {
  const sendBudget = new ByteBudget({ limit: 10_000_000, fairShare: 1_000_000 });
  const peers = Array.from({ length: 24 }, () => connect({}, { sendBudget }));
  for (const { connection, stream } of peers) {
    stream.accepting = false;
    connection.notify(COMMANDS.responseObjects, new Uint8Array(3_000_000));
  }
  expect(sendBudget.total).toBeLessThan(10_000_000);
  const closed = peers.filter(({ connection }) => connection.closed);
  expect(closed.length).toBeGreaterThan(20);
  expect(closed[0]?.closed).toEqual(['too much waits for all peers']);
  // A small answer is always possible.
  const small = connect({}, { sendBudget });
  small.stream.accepting = false;
  small.connection.notify(COMMANDS.responseObjects, new Uint8Array(500_000));
  expect(small.connection.closed).toBe(false);
  for (const { connection } of [...peers, small]) connection.close('done');
  expect(sendBudget.total).toBe(0);
});

describe('a peer that reads nothing', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('is dropped after a minute', async () => {
    const { connection, stream, closed } = connect({});
    stream.accepting = false;
    connection.notify(COMMANDS.newTransactions, new Uint8Array(100_000));
    await jest.advanceTimersByTimeAsync(59_000);
    expect(closed).toEqual([]);
    await jest.advanceTimersByTimeAsync(7_000);
    expect(closed).toEqual(['the peer does not read what it asked for']);
  });

  test('is dropped after ten seconds when it asks for more', async () => {
    const { stream, closed } = connect((connection) => ({
      onNotify: () => connection.notify(COMMANDS.responseObjects, new Uint8Array(2_000_000)),
    }));
    stream.accepting = false;
    stream.receive(times(5, OBJECTS_REQUEST));
    await jest.advanceTimersByTimeAsync(9_000);
    expect(closed).toEqual([]);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(closed).toEqual(['the peer does not read what it asked for']);
  });

  test('stays while our own upload limit holds its answers back', async () => {
    const now = (): number => Date.now();
    const limiters = { up: new TokenBucket(1000, now), down: new TokenBucket(1e12, now) };
    const { connection, closed } = connect({}, { limiters });
    for (let i = 0; i < 3; i++)
      connection.notify(COMMANDS.newTransactions, new Uint8Array(130_000));
    await jest.advanceTimersByTimeAsync(250_000);
    expect(closed).toEqual([]);
    connection.close('done');
  });

  test('stays while it reads slowly', async () => {
    const { connection, stream, closed } = connect({});
    stream.accepting = false;
    connection.notify(COMMANDS.newTransactions, new Uint8Array(3_000_000));
    for (let i = 0; i < 20; i++) {
      await jest.advanceTimersByTimeAsync(30_000);
      stream.handlers?.onDrain();
    }
    expect(closed).toEqual([]);
    connection.close('done');
  });
});
