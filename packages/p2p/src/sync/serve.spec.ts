import { decodeMessage, encodeMessage, parseBlock, toHex } from '@monero-node/codec';
import { NEW_BLOCK, REQUEST_OBJECTS, RESPONSE_OBJECTS } from '../messages/blocks.ts';
import type { ResponseObjects } from '../messages/blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from '../messages/chain.ts';
import { Violation } from '../peers/violation.ts';
import { FakeChain } from '../testing/fake-chain.ts';
import { recordedChain } from '../testing/recorded-chain.ts';
import { recordedFrame } from '../testing/recorded.ts';
import type { ChainForP2p } from './chain.ts';
import { chainEntryFor, missingTransactionsFor, objectsFor } from './serve.ts';

const WHOLE = decodeMessage(RESPONSE_OBJECTS, recordedFrame('objects').body);
const FLUFFY = decodeMessage(NEW_BLOCK, recordedFrame('fluffyMissingAnswer').body);
const ENTRY = decodeMessage(RESPONSE_CHAIN, recordedFrame('chainEntry').body);
const chain = recordedChain();
const requested = [
  ...WHOLE.blocks.map(({ block }) => parseBlock(block).id),
  new Uint8Array(32).fill(0x42),
];

test.each([
  ['objects', false],
  ['objectsPruned', true],
] as const)('answers a request for blocks with the bytes of monerod (%s)', async (name, prune) => {
  const answer = await objectsFor(chain, { blocks: requested, prune });
  const body = encodeMessage(RESPONSE_OBJECTS, answer as ResponseObjects);
  expect(toHex(body)).toBe(toHex(recordedFrame(name).body));
});

test('answers a chain request with the bytes of monerod', () => {
  const answer = chainEntryFor(chain, { block_ids: ENTRY.m_block_ids.slice(0, 1), prune: false });
  expect(answer).toBeDefined();
  if (answer)
    expect(toHex(encodeMessage(RESPONSE_CHAIN, answer))).toBe(
      toHex(recordedFrame('chainEntry').body),
    );
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
  expect(chainEntryFor(fake, request)).toMatchObject({ start_height: 0, total_height: 1 });
  const objects = decodeMessage(REQUEST_OBJECTS, recordedFrame('objectsRequest').body);
  expect(objects.blocks).toHaveLength(20);
  const answer = await objectsFor(fake, objects);
  expect((answer as ResponseObjects).missed_ids).toHaveLength(20);
});

test('does not answer a chain request without a common block', () => {
  const fake = new FakeChain();
  expect(chainEntryFor(fake, { block_ids: [], prune: false })).toBeUndefined();
  expect(
    chainEntryFor(fake, { block_ids: [fake.idAt(0), new Uint8Array(32)], prune: false }),
  ).toBeUndefined();
});

test('a chain entry has at most 10,000 ids and begins with the common block', () => {
  const fake = new FakeChain();
  fake.grow(10_050);
  const ids = [fake.idAt(20), fake.idAt(0)];
  const entry = chainEntryFor(fake, { block_ids: ids, prune: false });
  expect(entry?.m_block_ids).toHaveLength(10_000);
  expect(entry?.m_block_ids[0]).toEqual(fake.idAt(20));
  expect(entry?.first_block).toEqual(fake.store.blockBlob(21));
  expect(entry).toMatchObject({ start_height: 20, total_height: 10_051 });
  const top = chainEntryFor(fake, { block_ids: [fake.top.id, fake.idAt(0)], prune: false });
  expect(top?.m_block_ids).toHaveLength(1);
  expect(top?.first_block).toHaveLength(0);
});

describe('a pruned node', () => {
  /** With stripe 2: of its 9,700 blocks it holds those from 4,096 on. */
  const fake = new FakeChain();
  fake.grow(9_699);
  fake.pruningSeed = 385;
  const entryFrom = (height: number, prune: boolean) =>
    chainEntryFor(fake, { block_ids: [fake.idAt(height), fake.idAt(0)], prune });

  test('sends ids from a pruned block on only to peers that accept pruned blocks', () => {
    expect(entryFrom(10, false)).toBeUndefined();
    expect(entryFrom(10, true)?.m_block_ids).toHaveLength(9_690);
  });

  test('sends ids up to the next pruned block', () => {
    expect(entryFrom(4_100, false)?.m_block_ids).toHaveLength(5_600);
    fake.pruningSeed = 384;
    // 4,096 is pruned now, but not the newest 5,500, from 4,200 on.
    expect(entryFrom(4_000, false)?.m_block_ids).toHaveLength(96);
    expect(entryFrom(4_100, false)).toBeUndefined();
    expect(entryFrom(4_200, false)?.m_block_ids).toHaveLength(5_500);
    fake.pruningSeed = 0;
    expect(entryFrom(4_000, false)?.m_block_ids).toHaveLength(5_700);
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
    const whole = recordedChain();
    const answer = await objectsFor({ ...whole, store }, { blocks: [fake.idAt(5)], prune: true });
    expect((answer as ResponseObjects).blocks[0]?.txs).toEqual([
      { blob: Uint8Array.of(1, 2), prunable_hash: new Uint8Array(32) },
      { blob: part(1), prunable_hash: new Uint8Array(32).fill(7) },
    ]);
  });
});

test('rejects a request for more than 100 blocks', async () => {
  const blocks = Array.from({ length: 101 }, () => new Uint8Array(32));
  expect(await objectsFor(chain, { blocks, prune: false })).toBeInstanceOf(Violation);
});

test.each([
  ['unknown block', new Uint8Array(32), [0n], 0],
  ['index out of range', requested[0] ?? new Uint8Array(), [1n], 0],
  ['huge index', requested[0] ?? new Uint8Array(), [2n ** 64n - 1n], 0],
  ['duplicate index', requested[0] ?? new Uint8Array(), [0n, 0n], 1],
])('a request for missing transactions with an %s is an offence', (_, id, indices, penalty) => {
  const answer = missingTransactionsFor(chain, {
    block_hash: id,
    current_blockchain_height: 1,
    missing_tx_indices: indices,
  });
  expect(answer).toBeInstanceOf(Violation);
  expect((answer as Violation).penalty).toBe(penalty);
});
