import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { TIMED_SYNC_REQUEST } from '../messages/admin.ts';
import { REQUEST_OBJECTS, RESPONSE_OBJECTS, REQUEST_FLUFFY_MISSING } from '../messages/blocks.ts';
import type { ResponseObjects } from '../messages/blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from '../messages/chain.ts';
import type { ResponseChain } from '../messages/chain.ts';
import { COMMANDS } from '../messages/commands.ts';
import { ownSyncData } from '../serve/chain.ts';
import { Arena, ARENA_BLOCKS } from '../testing/arena.ts';
import { BAD_POW_NONCE, BAD_REWARD_NONCE, FakeChain } from '../testing/fake-chain.ts';
import type { RawPeer } from '../testing/raw-peer.ts';

jest.setTimeout(60_000);

let arena: Arena;
let now = 0;
beforeEach(async () => {
  now = 0;
  arena = await Arena.open({}, { now: () => Date.now() + now });
});
afterEach(() => arena.close());

/** A chain that forks from the node's at genesis and is higher. */
function otherChain(length = 30): FakeChain {
  const chain = new FakeChain();
  chain.grow(length, { nonce: 5 });
  return chain;
}

/** The same blocks as the node's, and some more. */
function longerChain(more: number): FakeChain {
  const chain = new FakeChain();
  chain.grow(ARENA_BLOCKS + more);
  return chain;
}

/** A peer that claims a chain; the node has asked for its ids. */
async function claiming(theirs: FakeChain, height = theirs.height): Promise<RawPeer> {
  const claim = { ...ownSyncData(theirs), current_height: height };
  const attacker = await arena.introduced(claim);
  await attacker.next(COMMANDS.requestChain);
  return attacker;
}

function entryOf(theirs: FakeChain, from = 0): ResponseChain {
  return {
    cumulative_difficulty: 0n,
    cumulative_difficulty_top64: 0n,
    first_block: new Uint8Array(0),
    m_block_ids: Array.from({ length: theirs.height - from }, (_, i) => theirs.idAt(from + i)),
    m_block_weights: [],
    start_height: from,
    total_height: theirs.height,
  };
}

/** The ids in an order that was not theirs, and so on. */
const idsOf = (theirs: FakeChain): readonly Uint8Array[] => entryOf(theirs).m_block_ids;

const ENTRIES: [string, number, (theirs: FakeChain) => Partial<ResponseChain>][] = [
  ['no ids', 1, () => ({ m_block_ids: [] })],
  ['an unknown first block', 5, (theirs) => entryOf(theirs, 1)],
  [
    'a genesis block of its own',
    5,
    (theirs) => ({ m_block_ids: [new Uint8Array(32), ...idsOf(theirs).slice(1)] }),
  ],
  ['a start above our chain', 1, (theirs) => entryOf(theirs, 25)],
  [
    'the same id twice',
    5,
    (theirs) => ({ m_block_ids: [theirs.idAt(0), theirs.idAt(1), theirs.idAt(1)] }),
  ],
  [
    'a known block after an unknown one',
    5,
    (theirs) => ({ m_block_ids: [theirs.idAt(0), theirs.idAt(1), arena.test.chain.idAt(2)] }),
  ],
  [
    'a known block at another height',
    5,
    (theirs) => ({ m_block_ids: [theirs.idAt(0), arena.test.chain.idAt(2)] }),
  ],
  ['a total height below its number of ids', 1, () => ({ total_height: 3 })],
  ['half a billion blocks', 0, () => ({ total_height: 500_000_000 })],
  ['one weight for thirty blocks', 1, () => ({ m_block_weights: [1n] })],
  [
    '25,001 ids',
    0,
    (theirs) => ({
      m_block_ids: new Array<Uint8Array>(25_001).fill(theirs.idAt(0)),
      total_height: 30_000,
    }),
  ],
];

test.each(ENTRIES)('dropped: a chain entry with %s (%d points)', async (_, points, change) => {
  const theirs = otherChain();
  const attacker = await claiming(theirs);
  const entry = { ...entryOf(theirs), ...change(theirs) };
  attacker.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entry);
  await attacker.closed;
  expect(arena.points).toBe(points);
  await arena.stillServes();
});

test('dropped: a claimed height of a million without ids to prove it (0 points)', async () => {
  const theirs = longerChain(1);
  const attacker = await claiming(theirs, 1_000_000);
  // It claims more than it has, and says the same again when asked for the rest.
  const entry = { ...entryOf(theirs, ARENA_BLOCKS), total_height: 1_000_000 };
  void answerObjects(attacker, theirs, 1, 1_000_000);
  attacker.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entry);
  await attacker.next(COMMANDS.requestChain);
  attacker.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entry);
  await attacker.closed;
  expect(arena.points).toBe(0);
  // The one block it really had may be verified a moment later.
  await until(() => arena.test.chain.height === ARENA_BLOCKS + 2);
  expect(arena.test.node.targetHeight).toBeLessThan(1_000_000);
  await arena.stillServes();
});

async function answerObjects(
  peer: RawPeer,
  theirs: FakeChain,
  times: number,
  height = theirs.height,
): Promise<void> {
  for (let i = 0; i < times; i++) {
    await peer.next(COMMANDS.requestObjects);
    const start = ARENA_BLOCKS + 1;
    const answer = { ...objectsOf(theirs, start), current_blockchain_height: height };
    peer.notify(COMMANDS.responseObjects, RESPONSE_OBJECTS, answer);
  }
}

function objectsOf(theirs: FakeChain, from: number, to = theirs.height): ResponseObjects {
  const blocks = Array.from({ length: to - from }, (_, i) => ({
    block: theirs.store.blockBlob(from + i) ?? new Uint8Array(0),
    block_weight: 0,
    pruned: false,
    txs: [],
  }));
  return { blocks, current_blockchain_height: theirs.height, missed_ids: [] };
}

/** A peer whose blocks, from the node's height on, have been asked for. */
async function serving(theirs: FakeChain): Promise<RawPeer> {
  const attacker = await claiming(theirs);
  const entry = entryOf(theirs, ARENA_BLOCKS);
  attacker.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entry);
  await attacker.next(COMMANDS.requestObjects);
  return attacker;
}

const NEXT = ARENA_BLOCKS + 1;
const TX = Uint8Array.of(1);
const OBJECTS: [string, number, (theirs: FakeChain) => Partial<ResponseObjects>][] = [
  ['no blocks', 1, () => ({ blocks: [] })],
  ['a block too few', 0, (theirs) => objectsOf(theirs, NEXT, NEXT + 4)],
  ['a block too many', 0, (theirs) => objectsOf(theirs, NEXT - 1)],
  [
    'the blocks in the wrong order',
    0,
    (theirs) => ({ blocks: [...objectsOf(theirs, NEXT).blocks].reverse() }),
  ],
  ['blocks of another chain', 0, () => objectsOf(otherChain(), NEXT, NEXT + 5)],
  [
    'bytes that are not a block',
    0,
    (theirs) => ({
      blocks: objectsOf(theirs, NEXT).blocks.map((each) => ({
        ...each,
        block: Uint8Array.of(1, 2, 3),
      })),
    }),
  ],
  [
    'a transaction that the block does not list',
    0,
    (theirs) => ({
      blocks: objectsOf(theirs, NEXT).blocks.map((each) => ({ ...each, txs: [TX] })),
    }),
  ],
  [
    'pruned blocks that were not requested',
    0,
    (theirs) => ({
      blocks: objectsOf(theirs, NEXT).blocks.map((each) => ({
        ...each,
        pruned: true,
        block_weight: 9,
      })),
    }),
  ],
];

test.each(OBJECTS)('dropped: an answer with %s (%d points)', async (_, points, change) => {
  const theirs = longerChain(5);
  const attacker = await serving(theirs);
  attacker.notify(COMMANDS.responseObjects, RESPONSE_OBJECTS, {
    ...objectsOf(theirs, NEXT),
    ...change(theirs),
  });
  await attacker.closed;
  expect(arena.points).toBe(points);
  expect(arena.test.chain.height).toBe(NEXT);
  await arena.stillServes();
});

test.each([
  ['without proof of work', BAD_POW_NONCE, true],
  ['with a wrong reward', BAD_REWARD_NONCE, false],
])('dropped: a block %s in a synchronization', async (_, nonce, banned) => {
  const theirs = longerChain(0);
  theirs.growBad(nonce);
  theirs.grow(3);
  const attacker = await serving(theirs);
  attacker.notify(COMMANDS.responseObjects, RESPONSE_OBJECTS, objectsOf(theirs, NEXT));
  await attacker.closed;
  // Five for the span and one for the link, then what the block itself costs: 10 or 1.
  await until(() => arena.banned.length > 0 === banned);
  await arena.stillServes();
});

test('ignored: a chain that forks at genesis and is lower', async () => {
  const theirs = otherChain(10);
  const attacker = await arena.introduced(ownSyncData(theirs));
  await attacker.next(COMMANDS.requestChain);
  attacker.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entryOf(theirs));
  await attacker.next(COMMANDS.requestObjects);
  attacker.notify(COMMANDS.responseObjects, RESPONSE_OBJECTS, objectsOf(theirs, 1));
  await until(() => arena.test.chain.has(theirs.idAt(10)) === 'alt');
  await arena.stillServes();
});

test.each([
  ['blocks', COMMANDS.responseObjects],
  ['ids', COMMANDS.responseChain],
])('dropped: unsolicited %s (1 point)', async (_, command) => {
  const attacker = await arena.introduced();
  const theirs = longerChain(5);
  if (command === COMMANDS.responseChain) attacker.notify(command, RESPONSE_CHAIN, entryOf(theirs));
  else attacker.notify(command, RESPONSE_OBJECTS, objectsOf(theirs, NEXT));
  await attacker.closed;
  expect(arena.points).toBe(1);
  await arena.stillServes();
});

test('dropped: blocks in answer to a request for ids (1 point)', async () => {
  const theirs = longerChain(5);
  const attacker = await claiming(theirs);
  attacker.notify(COMMANDS.responseObjects, RESPONSE_OBJECTS, objectsOf(theirs, NEXT));
  await attacker.closed;
  expect(arena.points).toBe(1);
  await arena.stillServes();
});

test('dropped: the second failure to answer in time (5 points)', async () => {
  const theirs = longerChain(5);
  const attacker = await claiming(theirs); // and says no more
  now += 21_000;
  await attacker.next(COMMANDS.requestChain); // a second chance
  expect(arena.points).toBe(0);
  now += 21_000;
  await attacker.closed;
  expect(arena.points).toBe(5);
  await arena.stillServes();
});

test('dropped: other traffic instead of the answer that is due (5 points)', async () => {
  const theirs = longerChain(5);
  const attacker = await claiming(theirs);
  const busy = setInterval(() => {
    const payload_data = ownSyncData(theirs);
    attacker.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data });
  }, 50);
  now += 241_000;
  await attacker.next(COMMANDS.requestChain);
  now += 241_000;
  await attacker.closed;
  clearInterval(busy);
  expect(arena.points).toBe(5);
  await arena.stillServes();
});

test('a good peer takes over from one that stalls', async () => {
  const theirs = longerChain(5);
  const staller = await serving(theirs);
  const helper = await claiming(theirs);
  helper.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entryOf(theirs, ARENA_BLOCKS));
  now += 8_000;
  await answerObjects(helper, theirs, 1);
  await until(() => arena.test.chain.height === theirs.height);
  expect(staller.take(COMMANDS.requestChain)).toBeUndefined();
  await arena.stillServes();
});

describe('requests', () => {
  const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

  test.each([
    ['blocks', COMMANDS.requestObjects],
    ['ids', COMMANDS.requestChain],
    ['transactions of a block', COMMANDS.requestFluffyMissing],
  ])('dropped: a request for %s before the handshake (0 points)', async (_, command) => {
    const attacker = await arena.attacker();
    if (command === COMMANDS.requestChain)
      attacker.notify(command, REQUEST_CHAIN, {
        block_ids: [arena.test.chain.idAt(0)],
        prune: false,
      });
    else if (command === COMMANDS.requestObjects)
      attacker.notify(command, REQUEST_OBJECTS, {
        blocks: [arena.test.chain.idAt(0)],
        prune: false,
      });
    else
      attacker.notify(command, REQUEST_FLUFFY_MISSING, {
        block_hash: hash(1),
        current_blockchain_height: 1,
        missing_tx_indices: [],
      });
    await attacker.closed;
    expect(arena.points).toBe(0);
    await arena.stillServes();
  });

  test('dropped: 101 blocks at once (0 points)', async () => {
    const attacker = await arena.introduced();
    const blocks = Array.from({ length: 101 }, (_, i) => hash(i));
    attacker.notify(COMMANDS.requestObjects, REQUEST_OBJECTS, { blocks, prune: false });
    await attacker.closed;
    await arena.stillServes();
  });

  test('stays: a request for unknown blocks is answered with their ids as missing', async () => {
    const attacker = await arena.introduced();
    const blocks = Array.from({ length: 100 }, (_, i) => hash(i));
    attacker.notify(COMMANDS.requestObjects, REQUEST_OBJECTS, { blocks, prune: false });
    await attacker.next(COMMANDS.responseObjects);
    await arena.stillServes();
  });

  test('ignored: a chain request with ids of another genesis, none, or sixteen thousand', async () => {
    const attacker = await arena.introduced();
    for (const block_ids of [[hash(1)], [], Array.from({ length: 16_000 }, (_, i) => hash(i))])
      attacker.notify(COMMANDS.requestChain, REQUEST_CHAIN, { block_ids, prune: false });
    const block_ids = [arena.test.chain.idAt(0)];
    attacker.notify(COMMANDS.requestChain, REQUEST_CHAIN, { block_ids, prune: false });
    await attacker.next(COMMANDS.responseChain); // the last one's
    expect(attacker.take(COMMANDS.responseChain)).toBeUndefined();
    await arena.stillServes();
  });

  test.each([
    ['an unknown block', 0, () => hash(1), [0n]],
    ['a transaction beyond the last', 0, () => arena.test.chain.idAt(3), [0n]],
    ['a transaction at 2^63', 0, () => arena.test.chain.idAt(3), [2n ** 63n]],
  ])('dropped: a request for %s (%d points)', async (_, points, block, missing_tx_indices) => {
    const attacker = await arena.introduced();
    attacker.notify(COMMANDS.requestFluffyMissing, REQUEST_FLUFFY_MISSING, {
      block_hash: block(),
      current_blockchain_height: 4,
      missing_tx_indices,
    });
    await attacker.closed;
    expect(arena.points).toBe(points);
    await arena.stillServes();
  });

  test('closed: a flood of requests without reading the answers', async () => {
    const attacker = await arena.introduced();
    attacker.socket.pause();
    const blocks = Array.from({ length: 20 }, (_, i) => arena.test.chain.idAt(i));
    let requests = 0;
    const flood = setInterval(() => {
      for (let i = 0; i < 500 && requests < 60_000; i++, requests++)
        attacker.notify(COMMANDS.requestObjects, REQUEST_OBJECTS, { blocks, prune: false });
    }, 5);
    await until(() => arena.test.node.incomingCount === 1, 40_000);
    clearInterval(flood);
    await arena.stillServes();
  });
});
