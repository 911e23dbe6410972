import { EventEmitter } from 'node:events';
import {
  bundleOf,
  EASY,
  genesisOf,
  makeBranch,
  startTestChain,
  type MadeBlock,
} from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import type { PoolTransaction, RemovalReason, TxPoolEvents } from '@monero-node/mempool';
import { madeUpChain, madeUpId } from '../testing/made-up-chain.ts';
import { MOST_BEHIND } from './chain-feed.ts';
import { EventFeed } from './event-feed.ts';
import { PositionError } from './message.ts';

/** Milliseconds for which a reader waits when there is nothing to read. */
const QUIET = 5;

interface Message {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function parse(bytes: Uint8Array): Message {
  const text = Buffer.from(bytes).toString();
  const [, , id, event = '', data = ''] =
    /^(id: (\d+-[0-9a-f]{64})\n)?event: ([\w.]+)\ndata: (.*)\n\n$/.exec(text) ?? [];
  return { id, event, data: JSON.parse(data) as Message['data'] };
}

type Reader = ReturnType<EventFeed['open']>;

/** Reads all that there is. */
async function readAll(reader: Reader): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const part = await reader.next(QUIET);
    if (part === undefined || part.length === 0) return all;
    all.push(...part.map(parse));
  }
}

const idOf = (made: MadeBlock | undefined): string => toHex(made?.parsed.id ?? new Uint8Array());
const placeOf = (height: number, made: MadeBlock | undefined): string => `${height}-${idOf(made)}`;
/** Each event with the height and the id in it. */
const brief = (messages: readonly Message[]): string[] =>
  messages.map(({ event, data }) => `${event} ${String(data['height'])}-${String(data['id'])}`);

const TRUNK = 5;
const trunk = makeBranch(EASY, genesisOf(EASY), TRUNK);
const left = makeBranch(EASY, trunk.at(-1) as MadeBlock, 2, { nonce: 1 });
const right = makeBranch(EASY, trunk.at(-1) as MadeBlock, 3, { nonce: 2 });

async function startFeed() {
  const { chain, store } = await startTestChain();
  await chain.addSpan([...trunk, ...left].map(bundleOf));
  const pool = new EventEmitter<TxPoolEvents>();
  const feed = new EventFeed(store, { chain, pool });
  feed.start();
  return { chain, store, pool, feed };
}

const removals = left.map((made, i) => `block.removed ${placeOf(TRUNK + 1 + i, made)}`).reverse();
const additions = right.map((made, i) => `block.added ${placeOf(TRUNK + 1 + i, made)}`);

test('a client without a position is told the newest block, then what comes', async () => {
  const { chain, feed } = await startFeed();
  const reader = feed.open(undefined);
  const [first] = await readAll(reader);
  const top = { height: TRUNK + 2, id: idOf(left[1]) };
  expect(first).toEqual({
    id: placeOf(TRUNK + 2, left[1]),
    event: 'position',
    data: { ...top, reason: 'new' },
  });
  const waiting = reader.next(60_000);
  await chain.addSpan(makeBranch(EASY, left[1] as MadeBlock, 1).map(bundleOf));
  const [added] = ((await waiting) ?? []).map(parse);
  const { height, top: meta } = chain;
  expect(height).toBe(TRUNK + 4);
  expect(added).toEqual({
    id: `${TRUNK + 3}-${toHex(meta.id)}`,
    event: 'block.added',
    data: {
      height: TRUNK + 3,
      id: toHex(meta.id),
      prev_id: top.id,
      timestamp: meta.timestamp,
      major_version: meta.majorVersion,
      minor_version: meta.minorVersion,
      weight: meta.weight,
      long_term_weight: meta.longTermWeight,
      difficulty: '1',
      cumulative_difficulty: String(meta.cumulativeDifficulty),
      generated_coins: String(meta.generatedCoins),
      total_txs: 0,
      num_txes: 0,
    },
  });
});

test('a client that was away during a reorganization is told what is gone and what took its place', async () => {
  const { chain, feed } = await startFeed();
  await chain.addSpan(right.map(bundleOf));
  const reader = feed.open(placeOf(TRUNK + 2, left[1]));
  const messages = await readAll(reader);
  expect(brief(messages)).toEqual([...removals, ...additions]);
  // After each message the client has what its id says.
  expect(messages.map(({ id }) => id)).toEqual([
    placeOf(TRUNK + 1, left[0]),
    placeOf(TRUNK, trunk.at(-1)),
    ...right.map((made, i) => placeOf(TRUNK + 1 + i, made)),
  ]);
  // One that left in the middle goes on there.
  expect(brief(await readAll(feed.open(messages[0]?.id)))).toEqual([
    ...removals.slice(1),
    ...additions,
  ]);
});

test('a client that is there is told the same', async () => {
  const { chain, feed } = await startFeed();
  const reader = feed.open(String(TRUNK + 2));
  expect(await readAll(reader)).toEqual([]);
  await chain.addSpan(right.map(bundleOf));
  expect(brief(await readAll(reader))).toEqual([...removals, ...additions]);
});

test('after a restart, side chains tell what is gone', async () => {
  const { chain, store, pool } = await startFeed();
  await chain.addSpan(right.map(bundleOf));
  const another = new EventFeed(store, { chain, pool });
  const messages = await readAll(another.open(placeOf(TRUNK + 2, left[1])));
  expect(brief(messages)).toEqual([...removals, ...additions]);
});

test('popped blocks, which no side chain has, are removed', async () => {
  const { chain, feed } = await startFeed();
  const reader = feed.open(placeOf(TRUNK + 2, left[1]));
  await chain.popBlocks(2);
  expect(brief(await readAll(reader))).toEqual(removals);
  expect(brief(await readAll(feed.open(placeOf(TRUNK + 2, left[1]))))).toEqual(removals);
});

test.each([
  ['an id that nobody has', `3-${'ab'.repeat(32)}`],
  ['a height that there is not yet', String(TRUNK + 3)],
  ['the id of another height', `3-${idOf(left[1])}`],
  ['a side block under another height', `4000000000-${idOf(right[2])}`],
])('%s: the client goes on at the newest block, and is told so', async (_what, after) => {
  const { chain, feed } = await startFeed();
  await chain.addSpan(right.slice(0, 2).map(bundleOf));
  const messages = await readAll(feed.open(after));
  expect(messages).toMatchObject([
    { event: 'position', data: { height: TRUNK + 2, id: idOf(left[1]), reason: 'unknown' } },
  ]);
});

test.each([
  '',
  'x',
  '-1',
  '1.5',
  '3-',
  '3-ab',
  `3-${'AB'.repeat(32)}`,
  '1'.repeat(11),
  `3-${'ab'.repeat(32)}\n`,
])('no position: %j', async (text) => {
  const { feed } = await startFeed();
  expect(() => feed.open(text)).toThrow(PositionError);
});

describe('a long chain', () => {
  const HEIGHT = MOST_BEHIND + 500;
  const { store } = madeUpChain({ height: HEIGHT });
  const nothing = { chain: new EventEmitter<never>(), pool: new EventEmitter<TxPoolEvents>() };
  const feed = new EventFeed(store, nothing as never);
  Object.defineProperty(store, 'height', { value: HEIGHT });

  test('is told from two weeks back, some blocks at a time', async () => {
    const reader = feed.open(String(HEIGHT - 1 - MOST_BEHIND));
    expect(await reader.next(QUIET)).toHaveLength(100);
    const others = await readAll(reader);
    expect(others).toHaveLength(MOST_BEHIND - 100);
    expect(others.at(-1)?.id).toBe(`${HEIGHT - 1}-${toHex(madeUpId(HEIGHT - 1))}`);
  });

  test('is not told from further back', async () => {
    const [only, ...none] = await readAll(feed.open(String(HEIGHT - 2 - MOST_BEHIND)));
    expect(only).toMatchObject({ event: 'position', data: { reason: 'too-old' } });
    expect(none).toEqual([]);
  });
});

describe('the pool', () => {
  const transaction = (n: number, broadcast = true): PoolTransaction =>
    ({ id: madeUpId(n), fee: 30_000n + BigInt(n), weight: 1500, broadcast }) as PoolTransaction;
  const leave = (pool: EventEmitter<TxPoolEvents>, tx: PoolTransaction, reason: RemovalReason) =>
    pool.emit('removed', { transaction: tx, reason });

  test('is told without ids, and only of what is public', async () => {
    const { pool, feed } = await startFeed();
    const reader = feed.open(String(TRUNK + 2));
    pool.emit('added', transaction(1));
    pool.emit('published', [transaction(1)], { isNews: true });
    leave(pool, transaction(2, false), 'expired');
    leave(pool, transaction(1), 'mined');
    expect(await readAll(reader)).toEqual([
      {
        id: undefined,
        event: 'pool.added',
        data: { id: toHex(madeUpId(1)), fee: '30001', weight: 1500 },
      },
      { id: undefined, event: 'pool.removed', data: { id: toHex(madeUpId(1)), reason: 'mined' } },
    ]);
  });

  test('a client that falls behind loses its stream; what nobody reads is not kept', async () => {
    const { pool, feed } = await startFeed();
    const slow = feed.open(String(TRUNK + 2));
    const quick = feed.open(String(TRUNK + 2));
    let read = 0;
    for (let n = 0; n < 10_000; n += 100) {
      pool.emit(
        'published',
        Array.from({ length: 100 }, (_, i) => transaction(n + i)),
        {
          isNews: true,
        },
      );
      read += (await readAll(quick)).length;
    }
    expect(read).toBe(10_000);
    expect(await slow.next(QUIET)).toBeUndefined();
    slow.close();
    quick.close();
    pool.emit('published', [transaction(1)], { isNews: true });
    expect(await readAll(feed.open(String(TRUNK + 2)))).toEqual([]);
  });
});

test('readers end with the feed, which listens no more', async () => {
  const { chain, pool, feed } = await startFeed();
  const reader = feed.open(String(TRUNK + 2));
  const waiting = reader.next(60_000);
  feed.stop();
  expect(await waiting).toBeUndefined();
  expect([pool, chain].flatMap((each) => each.eventNames())).toEqual([]);
});
