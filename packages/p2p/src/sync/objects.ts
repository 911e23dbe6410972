import { Yielder } from '@monero-node/base';
import { tryParseBlock } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import type { BlockCompleteEntry, ParsedBlock } from '@monero-node/codec';
import { Violation } from '../peers/violation.ts';
import type { PeerChain } from './peer-chain.ts';
import type { ReceivedBlock } from './received-block.ts';

const NO_HASH = new Uint8Array(32);
/**
 * Fewer bytes than any transaction has without signatures: its key image, and a byte each for the version, unlock time,
 * lists and amounts. This bounds the ids of a block by the size of the message.
 */
const MIN_TX_BYTES = 40;

/** Consecutive blocks that were requested from a peer. */
export interface BlockRequest {
  readonly start: number;
  /** In hex. */
  readonly ids: readonly string[];
  /** They may be pruned. */
  readonly prune?: boolean;
}

/** The blocks of an answer, which were found to be the requested ones. */
export interface ReceivedBlocks {
  readonly blocks: readonly ReceivedBlock[];
  /** Id of the parent of the first one, in hex. */
  readonly prevId: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Checks that an answer holds exactly the requested blocks, in order and each with as many transactions as it lists. The
 * chain checks whether they are valid.
 * Source: handle_response_get_objects in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export async function checkObjects(
  entries: readonly BlockCompleteEntry[],
  request: BlockRequest,
  peerChain: PeerChain,
): Promise<ReceivedBlocks | Violation> {
  if (entries.length === 0) return new Violation('no blocks in an answer', 1);
  if (entries.length !== request.ids.length)
    return new Violation('not the blocks that were requested', 0);
  const yielder = new Yielder();
  const blocks: ReceivedBlock[] = [];
  let size = 0;
  let firstPrevId: string | undefined;
  let previous = request.start === 0 ? undefined : peerChain.idAt(request.start - 1);
  for (const [i, entry] of entries.entries()) {
    await yielder.yieldIfDue();
    const checked = await checkEntry(entry, { request, i, yielder });
    if (checked instanceof Violation) return checked;
    const prevId = toHex(checked.block.prevId);
    if (prevId !== previous) return new Violation('blocks that do not follow each other', 0);
    firstPrevId ??= prevId;
    previous = request.ids[i];
    const txs = entry.txs.map(bytesOf);
    blocks.push({ block: checked, txs, ...(entry.pruned && prunedParts(entry)) });
    size += txs.reduce((sum, tx) => sum + tx.length, entry.block.length);
  }
  return { blocks, prevId: firstPrevId ?? '', size };
}

async function checkEntry(
  entry: BlockCompleteEntry,
  { request, i, yielder }: { request: BlockRequest; i: number; yielder: Yielder },
): Promise<ParsedBlock | Violation> {
  const height = request.start + i;
  if (request.prune !== true && (entry.pruned || entry.block_weight !== 0))
    return new Violation('pruned data that was not asked for', 0);
  // A peer may give the whole block instead; a weight goes with pruned ones only.
  if (entry.pruned === (entry.block_weight === 0))
    return new Violation('a pruned block without its weight, or a whole one with it', 0);
  if (entry.txs.some((tx) => bytesOf(tx).length < MIN_TX_BYTES))
    return new Violation('a transaction that is too short', 0);
  const parsed = await tryParseBlock(entry.block, yielder, entry.txs.length);
  if (!parsed) return new Violation('a block that does not decode, or lacks transactions', 0);
  const [input, ...others] = parsed.block.minerTx.inputs;
  if (input?.kind !== 'gen' || others.length > 0)
    return new Violation('a block without its one coinbase input', 0);
  if (input.height !== height || toHex(parsed.id) !== request.ids[i])
    return new Violation('a block that is not the one of its height', 0);
  if (parsed.block.txHashes.length !== entry.txs.length)
    return new Violation('a block with more transactions than it lists', 0);
  return parsed;
}

/** Returns the hashes of the parts that a pruned entry's transactions lack. */
function prunedParts({ txs }: BlockCompleteEntry): Pick<ReceivedBlock, 'prunableHashes'> {
  return {
    prunableHashes: txs.map((tx) => (tx instanceof Uint8Array ? NO_HASH : tx.prunable_hash)),
  };
}

function bytesOf(tx: BlockCompleteEntry['txs'][number]): Uint8Array {
  return tx instanceof Uint8Array ? tx : tx.blob;
}
