import { Yielder } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import { BLOCK_GROUP_SIZE } from '@monero-node/consensus';
import type { ResponseChain } from '../messages/chain.ts';
import { Violation } from '../peers/violation.ts';
import type { ChainForP2p } from './chain.ts';
import { PeerChain } from './peer-chain.ts';
import type { SpanQueue } from './span-queue.ts';

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
export async function checkChainEntry(
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
