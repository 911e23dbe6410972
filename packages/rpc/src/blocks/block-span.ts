import type { Yielder } from '@monero-node/base';
import { bytesEqual, type TxBlobEntry } from '@monero-node/codec';
import { CountedList } from '@monero-node/codec/portable-storage';
import type { BlockEntry, BlockIndices } from '@monero-node/rpc-schema';
import type { StoredTx } from '@monero-node/storage';
import type { RpcChain } from '../dependencies.ts';
import { RpcStatus } from '../errors.ts';

/** Limits of one answer. Source: find_blockchain_supplement and get_blocks_from. */
export interface SpanLimits {
  readonly blocks: number;
  readonly transactions: number;
  /** The block that crosses it is the last. */
  readonly bytes: number;
}

/** Sent even past the size limit. */
const MIN_BLOCKS = 3;
/** Bytes of blocks that are kept from counting them until they are sent. Those beyond are read again. */
const HELD_BYTES = 4 * 1024 * 1024;

/** One block of a span and what it counts for. */
export interface SpanBlock<Entry, Indices> {
  readonly entry: Entry;
  readonly indices: Indices;
  readonly bytes: number;
  readonly transactions: number;
}

/** The parts of a block to read. */
export interface BlockParts {
  readonly prune: boolean;
  readonly withoutMinerTx: boolean;
}

export interface SpanOptions<Entry, Indices> {
  readonly from: number;
  readonly limits: SpanLimits;
  /** Reads a block of the main chain; undefined when it is not there any more. */
  readonly read: (height: number, id: Uint8Array) => SpanBlock<Entry, Indices> | undefined;
}

/** Blocks that have been counted and are made ready to be sent one by one. */
export interface BlockSpan<Entry, Indices> {
  /** A short span has all its blocks ready. */
  readonly blocks: CountedList<Entry> | readonly Entry[];
  readonly indices: Indices[];
  /** Bytes of the blocks that are kept until they are sent. */
  readonly keptBytes: number;
}

/**
 * Consecutive main-chain blocks from a height on. Other work gets its turn in between; if the chain is reorganized
 * meanwhile the span ends before the first replaced block, so that what is returned always was one chain. A block that
 * is replaced while the span is sent ends the list: its iterator then throws an Error.
 */
export async function readSpan<Entry, Indices>(
  { store }: RpcChain,
  { from, limits, read }: SpanOptions<Entry, Indices>,
  yielder: Yielder,
): Promise<BlockSpan<Entry, Indices>> {
  const ids = store.blockMetas(from, from + limits.blocks).map((meta) => meta.id);
  const isReplaced = (i: number): boolean =>
    !bytesEqual(store.blockMeta(from + i)?.id ?? NOTHING, ids[i] ?? NOTHING);
  const held: Entry[] = [];
  let count = 0;
  const indices: Indices[] = [];
  let bytes = 0;
  let keptBytes = 0;
  let transactions = 0;
  let paused = false;
  for (const [i, id] of ids.entries()) {
    if (bytes >= limits.bytes && count >= MIN_BLOCKS) break;
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) {
      await pause;
      paused = true;
    }
    if (paused && isReplaced(i)) break;
    const block = read(from + i, id);
    if (block === undefined) break;
    bytes += block.bytes;
    if (bytes <= HELD_BYTES) {
      keptBytes = bytes;
      held.push(block.entry);
    }
    count++;
    indices.push(block.indices);
    transactions += block.transactions;
    if (transactions >= limits.transactions && count >= MIN_BLOCKS) break;
  }
  if (held.length === count) return { blocks: held, indices, keptBytes };
  async function* entries(): AsyncGenerator<Entry> {
    for (let i = 0; i < count; i++) {
      await yielder.yieldIfDue();
      const kept = held[i];
      delete held[i];
      const entry = kept ?? (isReplaced(i) ? undefined : read(from + i, ids[i] ?? NOTHING)?.entry);
      if (entry === undefined) throw new Error(`block ${from + i} was replaced while it was sent`);
      yield entry;
    }
  }
  return { blocks: new CountedList(count, entries()), indices, keptBytes };
}

const NOTHING = new Uint8Array(0);

/**
 * Returns the main-chain block at a height in the form of `get_blocks.bin`; undefined above the chain. Throws RpcStatus
 * when a requested part was pruned.
 */
export function readBlock(
  chain: RpcChain,
  height: number,
  { prune, withoutMinerTx }: BlockParts,
): SpanBlock<BlockEntry, BlockIndices> | undefined {
  const block = chain.store.blockBlob(height);
  if (block === undefined) return undefined;
  const stored = chain.store.blockTxs(height);
  const txs = stored.slice(1);
  return {
    entry: { block, pruned: prune, txs: prune ? txs.map(prunedTx) : wholeTxs(txs) },
    indices: { indices: outputIndices(chain, height, stored.length, withoutMinerTx) },
    bytes: block.length + sizeOf(txs, prune),
    transactions: stored.length,
  };
}

/** Without miner transactions the first item stays, but empty. */
function outputIndices(
  chain: RpcChain,
  height: number,
  count: number,
  withoutMinerTx: boolean,
): { indices: number[] }[] {
  return Array.from({ length: count }, (_, position) => ({
    indices: position === 0 && withoutMinerTx ? [] : chain.store.outputIndices(height, position),
  }));
}

function sizeOf(txs: readonly StoredTx[], prune: boolean): number {
  return txs.reduce((sum, tx) => sum + tx.pruned.length + (prune ? 0 : tx.prunable.length), 0);
}

/** @throws RpcStatus when one was pruned: the caller asked for what this node does not have. */
function wholeTxs(txs: readonly StoredTx[]): Uint8Array[] {
  const whole = txs.flatMap((tx) => fullBlob(tx) ?? []);
  if (whole.length < txs.length) throw new RpcStatus('Failed');
  return whole;
}

function prunedTx(tx: StoredTx): TxBlobEntry {
  return { blob: tx.pruned, prunable_hash: tx.prunableHash };
}

/** Returns the blob of a whole transaction; undefined when its prunable part was pruned. */
export function fullBlob(tx: StoredTx): Uint8Array | undefined {
  if (tx.dropped) return undefined;
  return tx.prunable.length === 0 ? tx.pruned : Buffer.concat([tx.pruned, tx.prunable]);
}
