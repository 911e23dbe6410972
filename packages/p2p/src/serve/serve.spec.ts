import { Yielder } from '@monero-node/base';
import { decodeMessage, encodeMessage, parseBlock, toHex } from '@monero-node/codec';
import { NEW_BLOCK, REQUEST_OBJECTS, RESPONSE_OBJECTS } from '../messages/blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from '../messages/chain.ts';
import { Violation } from '../peers/bans/violation.ts';
import { FakeChain } from '../testing/fake-chain.ts';
import { chainOfRecording } from '../testing/recorded-chain.ts';
import { recordedFrame } from '../testing/recorded/frames.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { servedBody, servedChain, servedObjects } from '../testing/served.ts';
import { objectsFor, missingTransactionsFor } from './blocks.ts';
import { ChainEntries } from './chain.ts';

const WHOLE = decodeMessage(RESPONSE_OBJECTS, recordedFrame('objects').body);
const FLUFFY = decodeMessage(NEW_BLOCK, recordedFrame('fluffyMissingAnswer').body);
const ENTRY = decodeMessage(RESPONSE_CHAIN, recordedFrame('chainEntry').body);
const chain = chainOfRecording();
const requested = [
  ...WHOLE.blocks.map(({ block }) => parseBlock(block).id),
  new Uint8Array(32).fill(0x42),
];

test.each([
  ['objects', false],
  ['objectsPruned', true],
] as const)('answers a request for blocks with the bytes of monerod (%s)', async (name, prune) => {
  const body = await servedBody(chain, { blocks: requested, prune });
  expect(toHex(body)).toBe(toHex(recordedFrame(name).body));
});

test('answers a chain request with the bytes of monerod', async () => {
  const block_ids = [...ENTRY.m_block_ids.slice(0, 1), new FakeChain().idAt(0)];
  const request = { block_ids, prune: false };
  const answer = await new ChainEntries(chain).answer(request, new Yielder());
  expect(answer && toHex(answer)).toBe(toHex(recordedFrame('chainEntry').body));
});

test('answers a request for missing transactions with the bytes of monerod', () => {
  const answer = missingTransactionsFor(chain, {
    block_hash: parseBlock(FLUFFY.b.block).id,
    current_blockchain_height: 77,
    missing_tx_indices: [0n],
  });
  expect(answer).not.toBeInstanceOf(Violation);
  if (!(answer instanceof Violation))
    expect(toHex(encodeMessage(NEW_BLOCK, answer))).toBe(
      toHex(recordedFrame('fluffyMissingAnswer').body),
    );
});

test("decodes monerod's requests", async () => {
  const fake = new FakeChain();
  const request = decodeMessage(REQUEST_CHAIN, recordedFrame('chainRequest').body);
  expect(await servedChain(fake, request)).toMatchObject({ start_height: 0, total_height: 1 });
  const objects = decodeMessage(REQUEST_OBJECTS, recordedFrame('objectsRequest').body);
  expect(objects.blocks).toHaveLength(20);
  const answer = await servedObjects(fake, objects);
  expect(answer.missed_ids).toHaveLength(20);
});

test('does not answer a chain request without a common block', async () => {
  const fake = new FakeChain();
  expect(await servedChain(fake, { block_ids: [], prune: false })).toBeUndefined();
  expect(
    await servedChain(fake, { block_ids: [fake.idAt(0), new Uint8Array(32)], prune: false }),
  ).toBeUndefined();
});

test('a chain entry has at most 10,000 ids and begins with the common block', async () => {
  const fake = new FakeChain();
  fake.grow(10_050);
  const ids = [fake.idAt(20), fake.idAt(0)];
  const entry = await servedChain(fake, { block_ids: ids, prune: false });
  expect(entry?.m_block_ids).toHaveLength(10_000);
  expect(entry?.m_block_ids[0]).toEqual(fake.idAt(20));
  expect(entry?.first_block).toEqual(fake.store.blockBlob(21));
  expect(entry).toMatchObject({ start_height: 20, total_height: 10_051 });
  const top = await servedChain(fake, { block_ids: [fake.top.id, fake.idAt(0)], prune: false });
  expect(top?.m_block_ids).toHaveLength(1);
  expect(top?.first_block).toHaveLength(0);
});

describe('a pruned node', () => {
  /** With stripe 2: of its 9,700 blocks it holds those from 4,096 on. */
  const fake = new FakeChain();
  fake.grow(9_699);
  fake.pruningSeed = 385;
  const entryFrom = (height: number, prune: boolean) =>
    servedChain(fake, { block_ids: [fake.idAt(height), fake.idAt(0)], prune });

  test('sends ids from a pruned block on only to peers that accept pruned blocks', async () => {
    expect(await entryFrom(10, false)).toBeUndefined();
    expect((await entryFrom(10, true))?.m_block_ids).toHaveLength(9_690);
  });

  test('sends ids up to the next pruned block', async () => {
    expect((await entryFrom(4_100, false))?.m_block_ids).toHaveLength(5_600);
    fake.pruningSeed = 384;
    // 4,096 is pruned now, but not the newest 5,500, from 4,200 on.
    expect((await entryFrom(4_000, false))?.m_block_ids).toHaveLength(96);
    expect(await entryFrom(4_100, false)).toBeUndefined();
    expect((await entryFrom(4_200, false))?.m_block_ids).toHaveLength(5_500);
    fake.pruningSeed = 0;
    expect((await entryFrom(4_000, false))?.m_block_ids).toHaveLength(5_700);
  });

  test('sends transactions of version 1 whole among pruned ones', async () => {
    const part = (byte: number) => Uint8Array.of(byte);
    const store: ChainForP2p['store'] = {
      ...fake.store,
      blockTxs: () =>
        [0, 1, 2].map((version) => ({
          id: new Uint8Array(32).fill(version),
          pruned: part(1),
          prunable: part(2),
          prunableHash: new Uint8Array(32).fill(version === 2 ? 7 : 0),
        })),
    };
    const whole = chainOfRecording();
    const answer = await servedObjects(
      { ...whole, store },
      { blocks: [fake.idAt(5)], prune: true },
    );
    expect(answer.blocks[0]?.txs).toEqual([
      { blob: Uint8Array.of(1, 2), prunable_hash: new Uint8Array(32) },
      { blob: part(1), prunable_hash: new Uint8Array(32).fill(7) },
    ]);
  });
});

test('rejects a request for more than 100 blocks', async () => {
  const blocks = Array.from({ length: 101 }, () => new Uint8Array(32));
  expect(await objectsFor(chain, { blocks, prune: false }, new Yielder())).toBeInstanceOf(
    Violation,
  );
});

test.each([
  ['unknown block', new Uint8Array(32), [0n], 0],
  ['index out of range', requested[0] ?? new Uint8Array(), [1n], 0],
  ['huge index', requested[0] ?? new Uint8Array(), [2n ** 64n - 1n], 0],
  ['duplicate index', requested[0] ?? new Uint8Array(), [0n, 0n], 1],
])('a request for missing transactions with an %s is an offense', (_, id, indices, penalty) => {
  const answer = missingTransactionsFor(chain, {
    block_hash: id,
    current_blockchain_height: 1,
    missing_tx_indices: indices,
  });
  expect(answer).toBeInstanceOf(Violation);
  expect((answer as Violation).penalty).toBe(penalty);
});

/** Answers like a chain, and counts what is read. */
function counted(fake: FakeChain) {
  const reads = { ids: 0, metas: 0, blocks: 0 };
  const store: ChainForP2p['store'] = {
    ...fake.store,
    heightOf: (id) => {
      reads.ids++;
      return fake.store.heightOf(id);
    },
    blockMetas: (from, to) => {
      reads.metas += to - from;
      return fake.store.blockMetas(from, to);
    },
    blockBlob: (height) => {
      reads.blocks++;
      return new Uint8Array(100_000).fill(height);
    },
  };
  const { height, pruningSeed, top } = fake;
  return { reads, chain: { ...chainOfRecording(), height, pruningSeed, top, store } };
}

describe('requests of hostile peers', () => {
  /** A yielder whose slices are used up at once, which counts them. */
  const slices = () => {
    const counter = { count: 0 };
    const nextSlice = () => {
      counter.count++;
      return Promise.resolve();
    };
    return { counter, yielder: new Yielder({ sliceMs: 0 }, { nextSlice }) };
  };

  test('16,000 ids of a chain request are looked up in slices', async () => {
    const fake = new FakeChain();
    const block_ids = Array.from({ length: 16_000 }, (_, i) =>
      new Uint8Array(32).fill(1 + (i % 200)),
    );
    const { counter, yielder } = slices();
    const entries = new ChainEntries(counted(fake).chain);
    await entries.answer({ block_ids: [...block_ids, fake.idAt(0)], prune: false }, yielder);
    expect(counter.count).toBeGreaterThanOrEqual(16_000);
  });

  test('ids are read in slices, and once for the same request', async () => {
    const fake = new FakeChain();
    fake.grow(3_000);
    const { chain, reads } = counted(fake);
    const entries = new ChainEntries(chain);
    const { counter, yielder } = slices();
    const request = { block_ids: [fake.idAt(0)], prune: false };
    const first = await entries.answer(request, yielder);
    expect(reads.metas).toBeGreaterThanOrEqual(3_001);
    expect(counter.count).toBeGreaterThanOrEqual(6);
    const before = reads.metas;
    for (let i = 0; i < 690; i++) expect(await entries.answer(request, yielder)).toBe(first);
    expect(reads.metas).toBe(before);
  });

  test('the blocks of a long answer are read as they are sent', async () => {
    const fake = new FakeChain();
    fake.grow(99);
    const { chain, reads } = counted(fake);
    const blocks = Array.from({ length: 100 }, (_, i) => fake.idAt(i));
    const answer = await objectsFor(chain, { blocks, prune: false }, new Yielder());
    if (answer instanceof Violation) throw new Error(answer.reason);
    expect(answer.length).toBeGreaterThan(10_000_000);
    expect(reads.blocks).toBe(100);
    const piece = (): number => (answer.pieces.next().value as Uint8Array).length;
    for (let i = 0; i < 6; i++) expect(piece()).toBeLessThan(101_000);
    // The first ones were kept.
    expect(reads.blocks).toBe(100);
    for (let i = 0; i < 4; i++) piece();
    expect(reads.blocks).toBe(104);
  });

  test('a long answer fails when one of its blocks is replaced', async () => {
    const fake = new FakeChain();
    fake.grow(20);
    const { chain } = counted(fake);
    const blocks = Array.from({ length: 20 }, (_, i) => fake.idAt(i));
    const answer = await objectsFor(chain, { blocks, prune: false }, new Yielder());
    if (answer instanceof Violation) throw new Error(answer.reason);
    fake.grow(20, { from: 5, nonce: 1 });
    expect(() => [...{ [Symbol.iterator]: () => answer.pieces }]).toThrow('replaced');
  });
});
