import { BLOCK_COMPLETE_ENTRY } from '@monero-node/codec';
import { renderObject } from '@monero-node/codec/portable-storage';
import { BLOCK_INDICES } from '@monero-node/rpc-schema';
import type { RpcChain } from '../dependencies.ts';
import { RecentEntries } from './recent-entries.ts';

const PARTS = { prune: true, withoutMinerTx: false };

/** A chain of blocks whose only content is a byte, which counts how often it is read. */
function chainOf(height: number) {
  const state = { height, content: 1, reads: 0 };
  const store = {
    blockBlob: () => {
      state.reads++;
      return Uint8Array.of(state.content);
    },
    blockTxs: () => [
      { id: new Uint8Array(32), pruned: Uint8Array.of(9), prunable: new Uint8Array(0) },
    ],
    outputIndices: () => [5, 6],
  };
  const chain = { store, ...state } as unknown as RpcChain;
  return { state, chain };
}

const id = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

test('a recent block is read once and has the same bytes as an uncached one', () => {
  const { state, chain } = chainOf(3000);
  const entries = new RecentEntries(chain);
  const first = entries.read(2500, id(1), PARTS);
  const entry = { block: Uint8Array.of(1), pruned: true, txs: [] };
  expect(first?.entry).toEqual(renderObject(BLOCK_COMPLETE_ENTRY, entry));
  const indices = { indices: [{ indices: [5, 6] }] };
  expect(first?.indices).toEqual(renderObject(BLOCK_INDICES, indices));
  expect(first).toMatchObject({ bytes: 1, transactions: 1 });
  expect(entries.read(2500, id(1), PARTS)?.entry).toBe(first?.entry);
  expect(state.reads).toBe(1);
});

test('reads the block again when another one replaced it', () => {
  const { state, chain } = chainOf(3000);
  const entries = new RecentEntries(chain);
  entries.read(2500, id(1), PARTS);
  state.content = 2;
  const now = entries.read(2500, id(2), PARTS);
  const entry = { block: Uint8Array.of(2), pruned: true, txs: [] };
  expect(now?.entry).toEqual(renderObject(BLOCK_COMPLETE_ENTRY, entry));
});

test('other parts of the same block have their own entry', () => {
  const { chain } = chainOf(3000);
  const entries = new RecentEntries(chain);
  const whole = entries.read(2500, id(1), PARTS);
  const without = entries.read(2500, id(1), { ...PARTS, withoutMinerTx: true });
  expect(without?.indices).not.toEqual(whole?.indices);
});

test('old blocks are not kept', () => {
  const { state, chain } = chainOf(3000);
  const entries = new RecentEntries(chain);
  entries.read(500, id(1), PARTS);
  entries.read(500, id(1), PARTS);
  expect(state.reads).toBe(2);
});
