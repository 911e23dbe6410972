import type { Yielder } from '@monero-node/base';
import {
  BLOCK_COMPLETE_ENTRY,
  bytesEqual,
  concatBytes,
  encodeMessage,
  RenderedObject,
  renderObject,
  parseBlock,
  toHex,
} from '@monero-node/codec';
import type { BlockCompleteEntry, TxBlobEntry } from '@monero-node/codec';
import type { StoredTx } from '@monero-node/storage';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { LevinError, MAX_PACKET } from '../levin/frame.ts';
import type { LazyMessage } from '../levin/lazy-message.ts';
import { RESPONSE_OBJECTS, MAX_BLOCKS_PER_REQUEST } from '../messages/blocks.ts';
import type { RequestObjects, NewBlock, RequestFluffyMissing } from '../messages/blocks.ts';
import { Violation } from '../peers/bans/violation.ts';

const NO_HASH = new Uint8Array(32);
/** Blocks of one answer that stay in memory until they are sent, in bytes. The others are read again. */
const KEPT_BYTES = 512 * 1024;
/** Bytes before the fields of a document: its signature and the number of fields. */
const DOCUMENT_HEAD = 10;

/** A block of an answer: its entry as it is sent, or what is needed to read it again. */
interface PlannedBlock {
  readonly height: number;
  readonly id: Uint8Array;
  /** Bytes of the entry. */
  readonly length: number;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Returns the body of the answer to 2003: main-chain blocks with their transactions, whole or pruned. The blocks are read
 * once to learn their size, and a second time as the peer reads them, so a long answer is never in memory as a whole.
 * Source: handle_request_get_objects in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export async function objectsFor(
  chain: ChainForP2p,
  request: RequestObjects,
  yielder: Yielder,
): Promise<LazyMessage | Violation> {
  if (request.blocks.length > MAX_BLOCKS_PER_REQUEST)
    return new Violation(`${request.blocks.length} blocks in one request`, 0);
  const planned: PlannedBlock[] = [];
  const missed: Uint8Array[] = [];
  let size = 0;
  for (const id of request.blocks) {
    await yielder.yieldIfDue();
    const height = chain.store.heightOf(id);
    const entry = height === undefined ? undefined : blockEntry(chain, height, request.prune);
    if (entry === 'pruned') return new Violation('a block that was pruned here', 0);
    if (height === undefined || !entry) {
      missed.push(id);
      continue;
    }
    const bytes = rendered(entry);
    size += bytes.length;
    if (size > MAX_PACKET) return new Violation('blocks that do not fit a packet', 0);
    planned.push({ height, id, length: bytes.length, bytes: keepUpTo(size, bytes) });
  }
  const { head, tail } = frameOf(planned.length, chain.height, missed);
  const pieces = answerPieces(chain, request.prune, { head, planned, tail });
  return { length: head.length + size + tail.length, pieces };
}

function keepUpTo(size: number, bytes: Uint8Array): Uint8Array | undefined {
  return size <= KEPT_BYTES ? bytes : undefined;
}

function* answerPieces(
  chain: ChainForP2p,
  prune: boolean,
  { head, planned, tail }: { head: Uint8Array; planned: readonly PlannedBlock[]; tail: Uint8Array },
): Generator<Uint8Array, void> {
  yield head;
  for (const block of planned) yield block.bytes ?? readAgain(chain, block, prune);
  yield tail;
}

/** Throws LevinError when the block is no longer what it was. */
function readAgain(chain: ChainForP2p, { height, id, length }: PlannedBlock, prune: boolean) {
  const current = chain.store.blockMeta(height);
  const entry = current && bytesEqual(current.id, id) && blockEntry(chain, height, prune);
  const bytes = entry && entry !== 'pruned' ? rendered(entry) : undefined;
  if (bytes?.length !== length) throw new LevinError('a block was replaced while it was sent');
  return bytes;
}

function rendered(entry: BlockCompleteEntry): Uint8Array {
  return renderObject(BLOCK_COMPLETE_ENTRY, entry).bytes;
}

/** Returns the bytes before and after the entries of the blocks. */
function frameOf(count: number, height: number, missed_ids: readonly Uint8Array[]) {
  const empty = new RenderedObject(new Uint8Array(0));
  const others = { current_blockchain_height: height, missed_ids };
  const encode = (blocks: readonly unknown[]): Uint8Array =>
    encodeMessage(RESPONSE_OBJECTS, { ...others, blocks: blocks as readonly BlockCompleteEntry[] });
  const whole = encode(Array.from({ length: count }, () => empty));
  // The blocks come first, as the fields are in the order of their names.
  const tail = encode([]).subarray(DOCUMENT_HEAD);
  return { head: whole.subarray(0, whole.length - tail.length), tail };
}

function blockEntry(
  chain: ChainForP2p,
  height: number,
  prune: boolean,
): BlockCompleteEntry | 'pruned' | undefined {
  const { store } = chain;
  const block = store.blockBlob(height);
  const meta = store.blockMeta(height);
  if (!block || !meta) return undefined;
  const [, ...txs] = store.blockTxs(height);
  if (!prune && txs.some((tx) => tx.dropped)) return 'pruned';
  return {
    block,
    block_weight: prune ? meta.weight : 0,
    pruned: prune,
    txs: prune ? txs.map(prunedEntry) : txs.map(wholeBlob),
  };
}

function wholeBlob(tx: StoredTx): Uint8Array {
  return concatBytes(tx.pruned, tx.prunable);
}

/** Transactions of version 1, the only ones without a prunable hash, are never pruned. */
function prunedEntry(tx: StoredTx): TxBlobEntry {
  return tx.prunableHash.some((byte) => byte !== 0)
    ? { blob: tx.pruned, prunable_hash: tx.prunableHash }
    : { blob: wholeBlob(tx), prunable_hash: NO_HASH };
}

/**
 * Returns the answer to 2009: a main or alternative block with the requested transactions.
 * Source: handle_request_fluffy_missing_tx in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export function missingTransactionsFor(
  chain: ChainForP2p,
  request: RequestFluffyMissing,
): NewBlock | Violation {
  const bundle = chain.blockBundleById(request.block_hash);
  if (!bundle) return new Violation(`unknown block ${toHex(request.block_hash)}`, 0);
  const parsed = parseBlock(bundle.block);
  const seen = new Set<bigint>();
  const txs: Uint8Array[] = [];
  for (const index of request.missing_tx_indices) {
    if (index >= BigInt(parsed.block.txHashes.length))
      return new Violation('transaction index out of range', 0);
    if (seen.has(index)) return new Violation('duplicate transaction index', 1);
    seen.add(index);
    const blob = bundle.txs[Number(index)];
    if (!blob) return new Violation('transaction not found', 0);
    txs.push(blob);
  }
  return {
    b: { block: bundle.block, block_weight: 0, pruned: false, txs },
    current_blockchain_height: request.current_blockchain_height,
  };
}
