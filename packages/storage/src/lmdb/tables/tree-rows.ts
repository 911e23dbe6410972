import { TREE_ROWS_PER_STEP, type TreeOutput, type TreeState } from '../../tree-store.ts';
import { HASH_SIZE } from '../../hash-bytes.ts';
import { RowReader, RowWriter } from './rows.ts';

// The rows of the curve tree. Bytes for an output in the tree on a chain as long as mainnet's, with what LMDB adds: a row of `tree_leaf` takes
// 84 bytes of a page, that is 85 with the rest of the page; nodes 1.3; the state of an index, shared by its outputs, 5.

/** Bytes of an output: its unified id (5), its kind (1), key and commitment. */
const TREE_OUTPUT_SIZE = 6 + 2 * HASH_SIZE;

const KINDS = ['legacy', 'carrot'] as const;

/** Returns the row of `tree_leaf` or `tree_locked`: an output, 70 bytes. */
export function encodeTreeOutput(output: TreeOutput): Uint8Array {
  const row = new RowWriter(TREE_OUTPUT_SIZE);
  writeOutput(row, output);
  return row.bytes;
}

function writeOutput(row: RowWriter, { unifiedId, kind, key, commitment }: TreeOutput): void {
  row.u32(unifiedId % 2 ** 32);
  row.u8(Math.floor(unifiedId / 2 ** 32));
  row.u8(KINDS.indexOf(kind));
  row.put(key);
  row.put(commitment);
}

function readOutput(row: RowReader): TreeOutput {
  const low = row.u32();
  const unifiedId = low + row.u8() * 2 ** 32;
  const kind = KINDS[row.u8()] ?? row.damaged();
  return { unifiedId, kind, key: row.bytes(HASH_SIZE), commitment: row.bytes(HASH_SIZE) };
}

/** Reads an output of 70 bytes. Throws StorageError `damaged`. */
export function decodeTreeOutput(table: string, bytes: Uint8Array): TreeOutput {
  const row = new RowReader(table, bytes);
  const output = readOutput(row);
  row.end();
  return output;
}

/** Returns the row of `tree_skipped`: the outputs of an index that have no leaf, 70 bytes each. */
export function* encodeTreeOutputs(
  outputs: readonly TreeOutput[],
): Generator<undefined, Uint8Array> {
  const row = new RowWriter(TREE_OUTPUT_SIZE * outputs.length);
  for (const [i, output] of outputs.entries()) {
    if (i > 0 && i % TREE_ROWS_PER_STEP === 0) yield;
    writeOutput(row, output);
  }
  return row.bytes;
}

/** Reads outputs of 70 bytes each. Throws StorageError `damaged`. */
export function* decodeTreeOutputs(
  table: string,
  bytes: Uint8Array,
): Generator<undefined, TreeOutput[]> {
  const row = new RowReader(table, bytes);
  const outputs: TreeOutput[] = [];
  while (row.remaining > 0) {
    if (outputs.length > 0 && outputs.length % TREE_ROWS_PER_STEP === 0) yield;
    outputs.push(readOutput(row));
  }
  return outputs;
}

/** Returns the row of `tree_index`: numbers of leaves and outputs (8 bytes each), then the last node of each layer. */
export function encodeTreeState({ leaves, outputs, edge }: TreeState): Uint8Array {
  const row = new RowWriter(16 + HASH_SIZE * edge.length);
  row.u64(leaves);
  row.u64(outputs);
  for (const node of edge) row.put(node);
  return row.bytes;
}

/** Reads a state of 16 bytes and 32 for each layer. Throws StorageError `damaged`. */
export function decodeTreeState(bytes: Uint8Array): TreeState {
  const row = new RowReader('tree_index', bytes);
  const [leaves, outputs] = [row.num64(), row.num64()];
  const edge: Uint8Array[] = [];
  while (row.remaining > 0) edge.push(row.bytes(HASH_SIZE));
  return { leaves, outputs, edge };
}

/** Returns the key of `tree_node`: the layer (1 byte), then the place in it (4 bytes), big-endian. */
export function treeNodeKey(layer: number, place: number): Uint8Array {
  const key = new Uint8Array(5);
  const view = new DataView(key.buffer);
  view.setUint8(0, layer);
  view.setUint32(1, place);
  return key;
}

/** The key in `tree_count` of the number of indexes. */
export const TREE_INDEXES_KEY = new Uint8Array(1);

/** Returns the key in `tree_count` of the number of outputs that wait for an index, below 2^64: 8 bytes, big-endian. */
export function treeWaitingKey(index: bigint): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, index);
  return key;
}

/** Returns the index that a key of `tree_count` (8 bytes, big-endian) names; undefined for the key of the number of indexes. */
export function waitingIndexOf(key: number | Uint8Array): bigint | undefined {
  if (typeof key === 'number' || key.length !== 8) return undefined;
  return new DataView(key.buffer, key.byteOffset).getBigUint64(0);
}

/** Returns the key of `tree_locked`: the index for which an output waits (8 bytes), then its number among those (4 bytes), big-endian. */
export function treeLockedKey(index: bigint, number: number): Uint8Array {
  const key = new Uint8Array(12);
  const view = new DataView(key.buffer);
  view.setBigUint64(0, index);
  view.setUint32(8, number);
  return key;
}
