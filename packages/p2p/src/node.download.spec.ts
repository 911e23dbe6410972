import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { decodeMessage } from '@monero-node/codec';
import { encodeNotify } from './levin/frame.ts';
import { TIMED_SYNC_REQUEST } from './messages/admin.ts';
import { REQUEST_OBJECTS, RESPONSE_OBJECTS } from './messages/blocks.ts';
import { RESPONSE_CHAIN } from './messages/chain.ts';
import { COMMANDS } from './messages/commands.ts';
import { ownSyncData } from './serve/chain.ts';
import { FakeChain, fakeBlock } from './testing/fake-chain.ts';
import type { RawPeer } from './testing/raw-peer.ts';
import { RawTalk, isBanned } from './testing/raw-talk.ts';
import { loopback } from './testing/test-node.ts';
import type { TestNode } from './testing/test-node.ts';

jest.setTimeout(30_000);

const talk = new RawTalk();
afterEach(() => talk.stop());

describe('synchronizing with a misbehaving peer', () => {
  async function synchronizing(): Promise<{ test: TestNode; peer: RawPeer; theirs: FakeChain }> {
    const theirs = new FakeChain();
    theirs.grow(20);
    const test = await talk.nodes.start();
    const peer = await talk.connect(test);
    await peer.introduce(ownSyncData(theirs));
    await peer.next(COMMANDS.requestChain);
    return { test, peer, theirs };
  }

  function entryOf(theirs: FakeChain, from = 0, count = theirs.height - from) {
    return {
      cumulative_difficulty: 0n,
      cumulative_difficulty_top64: 0n,
      first_block: new Uint8Array(0),
      m_block_ids: Array.from({ length: count }, (_, i) => theirs.idAt(from + i)),
      m_block_weights: [] as bigint[],
      start_height: from,
      total_height: theirs.height,
    };
  }

  const ANSWERS: [string, (theirs: FakeChain) => Partial<ReturnType<typeof entryOf>>][] = [
    ['no ids', () => ({ m_block_ids: [] })],
    ['an unknown first id', (theirs) => entryOf(theirs, 1)],
    ['a start beyond what was asked', (theirs) => entryOf(theirs, 5)],
    [
      'duplicate ids',
      (theirs) => ({ m_block_ids: [theirs.idAt(0), theirs.idAt(1), theirs.idAt(1)] }),
    ],
    ['a total below the ids', () => ({ total_height: 3 })],
    ['a total beyond reason', () => ({ total_height: 500_000_000 })],
    ['too few weights', () => ({ m_block_weights: [1n] })],
    [
      'too many ids',
      (theirs) => ({
        m_block_ids: new Array<Uint8Array>(25_001).fill(theirs.idAt(0)),
        total_height: 30_000,
      }),
    ],
    [
      'genesis again',
      (theirs) => ({ m_block_ids: [theirs.idAt(0), theirs.idAt(1), theirs.idAt(0)] }),
    ],
  ];

  test.each(ANSWERS)('a chain entry with %s drops it', async (_, change) => {
    const { test, peer, theirs } = await synchronizing();
    peer.notify(COMMANDS.responseChain, RESPONSE_CHAIN, { ...entryOf(theirs), ...change(theirs) });
    await peer.closed;
    await until(() => test.node.incomingCount === 0);
    expect(test.node.syncInfo().spans).toEqual([]);
  });

  test('drops a peer that sends fewer ids than it claims, instead of asking again', async () => {
    const { peer, theirs, test } = await synchronizing();
    const entry = { ...entryOf(theirs, 0, 1), total_height: 21 };
    peer.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entry);
    await peer.next(COMMANDS.requestChain);
    peer.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entry);
    await peer.closed;
    expect(isBanned(test)).toBe(false);
  });

  async function askedForBlocks() {
    const { test, peer, theirs } = await synchronizing();
    peer.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entryOf(theirs));
    const request = decodeMessage(REQUEST_OBJECTS, (await peer.next(COMMANDS.requestObjects)).body);
    const entries = request.blocks.map((id) => ({
      block: theirs.blockBundleById(id)?.block ?? new Uint8Array(0),
      block_weight: 0,
      pruned: false,
      txs: [] as Uint8Array[],
    }));
    const answer = (blocks: typeof entries, height = 21): void =>
      peer.notify(COMMANDS.responseObjects, RESPONSE_OBJECTS, {
        blocks,
        current_blockchain_height: height,
        missed_ids: [],
      });
    return { test, peer, theirs, entries, answer };
  }

  test('accepts the requested blocks', async () => {
    const { test, entries, answer } = await askedForBlocks();
    expect(entries).toHaveLength(20);
    answer(entries);
    await until(() => test.node.synchronized);
    expect(test.chain.height).toBe(21);
  });

  type Entries = Awaited<ReturnType<typeof askedForBlocks>>['entries'];
  const BLOCKS: [string, (entries: Entries) => Entries][] = [
    ['no blocks', () => []],
    ['one block too few', (entries) => entries.slice(1)],
    ['blocks out of order', (entries) => [...entries].reverse()],
    [
      'other bytes',
      (entries) => [{ ...entries[0]!, block: new Uint8Array(80) }, ...entries.slice(1)],
    ],
    [
      'another block',
      (entries) => [
        { ...entries[0]!, block: fakeBlock({ id: new Uint8Array(32), height: 0 }) },
        ...entries.slice(1),
      ],
    ],
    [
      'transactions that are not in it',
      (entries) => [{ ...entries[0]!, txs: [Uint8Array.of(1)] }, ...entries.slice(1)],
    ],
    [
      'pruned blocks',
      (entries) => entries.map((entry) => ({ ...entry, pruned: true, block_weight: 5 })),
    ],
    ['a weight', (entries) => entries.map((entry) => ({ ...entry, block_weight: 5 }))],
  ];

  test.each(BLOCKS)('an answer with %s drops it', async (_, change) => {
    const { test, peer, entries, answer } = await askedForBlocks();
    answer(change(entries));
    await peer.closed;
    await until(() => test.node.incomingCount === 0);
    expect(test.chain.height).toBe(1);
    expect(test.node.syncInfo().spans).toEqual([]);
  });

  test("adds points when a peer's height keeps falling", async () => {
    const { test, peer, answer, entries } = await askedForBlocks();
    answer(entries, 20);
    await until(() => test.chain.height === 21);
    const payload_data = { ...ownSyncData(test.chain), current_height: 19 };
    peer.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data });
    await peer.closed;
  });

  test.each([
    ['blocks', COMMANDS.responseObjects],
    ['a chain entry', COMMANDS.responseChain],
  ])('%s that nobody asked for close the link at their header', async (_, command) => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    peer.write(encodeNotify(command, new Uint8Array(2_000_000)).subarray(0, 33));
    await peer.closed;
  });

  test('downloads from other peers when one is silent', async () => {
    const { test, theirs } = await synchronizing();
    const helper = await talk.nodes.start(
      { exclusiveNodes: [loopback(test.node.listenPort)] },
      { chain: theirs },
    );
    await until(() => test.chain.height === 21);
    expect(helper.node.outgoingCount).toBe(1);
  });
});
