import { Yielder } from '@monero-node/base';
import type { MillisecondClock } from '@monero-node/base';
import { tryParseBlock } from '@monero-node/blockchain';
import type { Network } from '@monero-node/consensus';
import { toHex } from '@monero-node/codec';
import type { BlockCompleteEntry, ParsedBlock, TransactionOutliner } from '@monero-node/codec';
import { BLOCK_GROUP_SIZE } from '@monero-node/consensus';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { ResponseObjects } from '../messages/blocks.ts';
import type { ResponseChain } from '../messages/chain.ts';
import { Violation } from '../peers/bans/violation.ts';
import type { BlockFeeder } from './block-feeder.ts';
import type { Downloads } from './downloads.ts';
import { PeerChain } from './peer-chain.ts';
import type { PeerClaims } from './peer-claims.ts';
import { withOutlines } from './span-outlines.ts';
import { pruneFlag } from './span-queue.ts';
import type { SpanQueue, ReceivedBlock } from './span-queue.ts';
import type { SyncPeer, SyncPeers } from './sync-peer.ts';

/** Limits on the height of a chain and on the ids in an answer. */
const MAX_BLOCK_NUMBER = 500_000_000;
const MAX_IDS = 25_000;

const WRONG_IDS_PENALTY = 5;

/** More unusable ids than the last, incomplete group of known blocks can explain. */
const MAX_UNUSABLE = BLOCK_GROUP_SIZE;

/**
 * Checks everything about a chain entry that can be checked without the blocks. Returns its usable ids or the violation.
 * Source: handle_response_chain_entry in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 * @param maxStart highest start height the request allows
 */
async function checkChainEntry(
  entry: ResponseChain,
  maxStart: number,
  context: { chain: ChainForP2p; queue: SpanQueue },
): Promise<PeerChain | Violation> {
  const wrong = checkNumbers(entry, maxStart);
  if (wrong !== undefined) return wrong;
  const ids = await checkIds(entry, context);
  return ids instanceof Violation ? ids : usable(entry, ids, context.chain);
}

function checkNumbers(entry: ResponseChain, maxStart: number): Violation | undefined {
  const count = entry.m_block_ids.length;
  if (entry.start_height > maxStart)
    return new Violation('chain entry past the expected height', 1);
  if (count === 0) return new Violation('empty chain entry', 1);
  if (entry.total_height < count || entry.start_height > entry.total_height - count)
    return new Violation('chain entry with impossible heights', 1);
  if (entry.m_block_weights.length !== 0 && entry.m_block_weights.length !== count)
    return new Violation('chain entry with a wrong number of weights', 1);
  if (entry.total_height >= MAX_BLOCK_NUMBER || count > MAX_IDS)
    return new Violation('chain entry too large', 0);
  return undefined;
}

/**
 * The first id must be in our chain or downloaded. Known ids may follow, those of the main chain at their height. After
 * the first unknown id there may be no known one. Returns the ids in hex, or the violation.
 */
async function checkIds(
  entry: ResponseChain,
  { chain, queue }: { chain: ChainForP2p; queue: SpanQueue },
): Promise<string[] | Violation> {
  const yielder = new Yielder();
  const seen = new Set<string>();
  let unknownSeen = false;
  for (const [i, id] of entry.m_block_ids.entries()) {
    await yielder.yieldIfDue();
    const key = toHex(id);
    if (seen.has(key)) return new Violation('duplicate ids in a chain entry', WRONG_IDS_PENALTY);
    seen.add(key);
    const where = chain.has(id);
    if (where === undefined) {
      if (i === 0 && queue.filledHeight(key) !== entry.start_height)
        return new Violation('first id of a chain entry is unknown', WRONG_IDS_PENALTY);
      unknownSeen = true;
    } else if (where === 'invalid') {
      if (i > 0) return new Violation('chain entry with an invalid block', 1);
    } else if (unknownSeen) {
      return new Violation('known block after an unknown one', WRONG_IDS_PENALTY);
    } else if (where === 'main' && i > 0 && chain.store.heightOf(id) !== entry.start_height + i) {
      return new Violation('known block at another height', WRONG_IDS_PENALTY);
    }
  }
  return [...seen];
}

/** Returns the ids that match the precomputed hashes or lie beyond them. */
function usable(
  entry: ResponseChain,
  inHex: readonly string[],
  chain: ChainForP2p,
): PeerChain | Violation {
  const { start_height: start, m_block_ids: ids, m_block_weights: weights } = entry;
  const count = chain.approveIds({ start, ids, weights });
  if (count === 0 || count + MAX_UNUSABLE <= ids.length)
    return new Violation('block ids that differ from the precomputed hashes', 1);
  return new PeerChain(start, inHex.slice(0, count));
}

const NO_HASH = new Uint8Array(32);
/**
 * Fewer bytes than any transaction has without signatures: its key image, and a byte each for the version, unlock time,
 * lists and amounts. This bounds the ids of a block by the size of the message.
 */
const MIN_TX_BYTES = 40;

/** Consecutive blocks that were requested from a peer. */
interface BlockRequest {
  readonly start: number;
  /** In hex. */
  readonly ids: readonly string[];
  /** They may be pruned. */
  readonly prune?: boolean;
}

/** The blocks of an answer, which were found to be the requested ones. */
interface ReceivedBlocks {
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
  network: Network,
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
    const checked = await checkEntry(entry, { request, i, yielder, network });
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
  {
    request,
    i,
    yielder,
    network,
  }: { request: BlockRequest; i: number; yielder: Yielder; network: Network },
): Promise<ParsedBlock | Violation> {
  const height = request.start + i;
  if (request.prune !== true && (entry.pruned || entry.block_weight !== 0))
    return new Violation('pruned data that was not asked for', 0);
  // A peer may give the whole block instead; a weight goes with pruned ones only.
  if (entry.pruned === (entry.block_weight === 0))
    return new Violation('a pruned block without its weight, or a whole one with it', 0);
  if (entry.txs.some((tx) => bytesOf(tx).length < MIN_TX_BYTES))
    return new Violation('a transaction that is too short', 0);
  const parsed = await tryParseBlock(network, entry.block, yielder, entry.txs.length);
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

const UNSOLICITED = new Violation('an answer that was not asked for', 1);

interface AnswersDependencies {
  readonly chain: ChainForP2p;
  readonly peers: SyncPeers;
  readonly queue: SpanQueue;
  readonly claims: PeerClaims;
  readonly downloads: Downloads;
  readonly feeder: BlockFeeder;
  /** Outlines the transactions of spans that wait for verification; nobody does when absent. */
  readonly outliner: TransactionOutliner | undefined;
  readonly now: MillisecondClock;
}

/** Checks the answers to our chain and block requests and puts them to use. */
export class Answers {
  readonly #deps: AnswersDependencies;

  constructor(deps: AnswersDependencies) {
    this.#deps = deps;
  }

  async onChainEntry(peer: SyncPeer, entry: ResponseChain): Promise<void> {
    const { chain, claims, downloads, peers, queue } = this.#deps;
    const { pending } = peer;
    if (pending?.kind !== 'chain') return peers.drop(peer, UNSOLICITED);
    const checked = await checkChainEntry(entry, pending.maxStart, { chain, queue });
    if (peer.peer.connection.closed || peer.pending !== pending) return;
    peer.answered();
    if (checked instanceof Violation) return peers.drop(peer, checked);
    if (!claims.updateHeight(peer, entry.total_height)) return;
    if (peer.chain && checked.end <= peer.chain.end && checked.end < peer.height) {
      // It claims more than it shows. Asking again would bring the same answer.
      peers.drop(peer, new Violation('nothing new in its chain entry', 0));
      return;
    }
    peer.show(checked);
    downloads.advance(peer);
  }

  async onObjects(peer: SyncPeer, answer: ResponseObjects): Promise<void> {
    const { claims, downloads, feeder, now, outliner, peers, queue } = this.#deps;
    const { pending, chain } = peer;
    if (pending?.kind !== 'objects' || !chain) return peers.drop(peer, UNSOLICITED);
    const checked = await checkObjects(answer.blocks, pending, chain, this.#deps.chain.network);
    const { address, connection, id: owner } = peer.peer;
    if (connection.closed || peer.pending !== pending) return;
    peer.answered();
    if (checked instanceof Violation) return peers.drop(peer, checked);
    if (!claims.updateHeight(peer, answer.current_blockchain_height)) return;
    const { ids, start, prune, since } = pending;
    const seconds = Math.max(1, now() - since) / 1000;
    queue.fill(
      { start, ids, owner, address, requestedAt: since, ...pruneFlag(prune) },
      { ...checked, blocks: withOutlines(checked.blocks, outliner), rate: checked.size / seconds },
    );
    feeder.kick();
    downloads.advance(peer);
  }
}
