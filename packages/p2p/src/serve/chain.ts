import { BoundedMap } from '@monero-node/base';
import type { Yielder } from '@monero-node/base';
import { bytesEqual, encodeMessage, toHex } from '@monero-node/codec';
import { nextPrunedHeight, versionAtHeight } from '@monero-node/consensus';
import type { BlockMeta } from '@monero-node/storage';
import type { SyncData } from '../messages/admin.ts';
import { RESPONSE_CHAIN } from '../messages/chain.ts';
import type { RequestChain, ResponseChain } from '../messages/chain.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';

/** Ids in one answer to a chain request. */
const IDS_PER_ENTRY = 10_000;
/** Records read before the event loop may get a turn: about a millisecond's worth. */
const METAS_PER_STEP = 500;
const LOW_64 = (1n << 64n) - 1n;
/** Answers kept: peers that download our chain ask for the same ones. At most 410 KB each. */
const KEPT_ANSWERS = 8;

/** Returns the description of our chain that is sent to peers. */
export function ownSyncData(chain: ChainForP2p): SyncData {
  const { top } = chain;
  return {
    cumulative_difficulty: top.cumulativeDifficulty & LOW_64,
    cumulative_difficulty_top64: top.cumulativeDifficulty >> 64n,
    current_height: top.height + 1,
    pruning_seed: chain.pruningSeed,
    top_id: top.id,
    top_version: versionAtHeight(chain.network, top.height),
  };
}

/** A part of the main chain: heights `start` ≤ h < `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Answers chain requests (2006), and keeps the last answers while our chain stays the same.
 * Source: find_blockchain_supplement in src/cryptonote_core/blockchain.cpp
 */
export class ChainEntries {
  readonly #chain: ChainForP2p;
  /** Encoded answers by range and top block. */
  readonly #kept = new BoundedMap<string, Uint8Array>(KEPT_ANSWERS);

  constructor(chain: ChainForP2p) {
    this.#chain = chain;
  }

  /**
   * Returns the body of the answer; undefined when there is no common block, or when the peer accepts no pruned blocks and
   * the common one is followed by blocks that are pruned here. For such peers the ids end before the blocks pruned here.
   */
  async answer(request: RequestChain, yielder: Yielder): Promise<Uint8Array | undefined> {
    const start = await findCommonHeight(this.#chain, request.block_ids, yielder);
    if (start === undefined) return undefined;
    const range = rangeFrom(this.#chain, start, request.prune);
    if (range === undefined) return undefined;
    const key = `${range.start} ${range.end} ${toHex(this.#chain.top.id)}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const entry = await readEntry(this.#chain, range, yielder);
    if (entry === undefined) return undefined;
    const body = encodeMessage(RESPONSE_CHAIN, entry);
    // The chain may have changed meanwhile.
    if (key.endsWith(toHex(this.#chain.top.id))) this.#kept.set(key, body);
    return body;
  }
}

/** Returns the height of the newest block in common; undefined when the last id is not our genesis block. */
async function findCommonHeight(
  { store }: ChainForP2p,
  ids: readonly Uint8Array[],
  yielder: Yielder,
): Promise<number | undefined> {
  const last = ids.at(-1);
  if (last === undefined || store.heightOf(last) !== 0) return undefined;
  for (const id of ids) {
    const height = store.heightOf(id);
    if (height !== undefined) return height;
    await yielder.yieldIfDue();
  }
  return undefined;
}

function rangeFrom(chain: ChainForP2p, start: number, prune: boolean): Range | undefined {
  const { height, pruningSeed } = chain;
  const stop = prune ? height : nextPrunedHeight(start, height, pruningSeed);
  return stop <= start ? undefined : { start, end: Math.min(start + IDS_PER_ENTRY, stop) };
}

/** Returns undefined when the blocks were replaced while they were read. */
async function readEntry(
  chain: ChainForP2p,
  { start, end }: Range,
  yielder: Yielder,
): Promise<ResponseChain | undefined> {
  const { store } = chain;
  const metas: BlockMeta[] = [];
  for (let at = start; at < end; at += METAS_PER_STEP) {
    metas.push(...store.blockMetas(at, Math.min(at + METAS_PER_STEP, end)));
    await yielder.yieldIfDue();
  }
  const last = metas.at(-1);
  const current = last && store.blockMeta(last.height);
  if (!last || !current || !bytesEqual(last.id, current.id)) return undefined;
  const { cumulativeDifficulty, height } = chain.top;
  return {
    cumulative_difficulty: cumulativeDifficulty & LOW_64,
    cumulative_difficulty_top64: cumulativeDifficulty >> 64n,
    first_block: (metas.length < 2 ? undefined : store.blockBlob(start + 1)) ?? new Uint8Array(0),
    m_block_ids: metas.map((meta) => meta.id),
    m_block_weights: metas.map((meta) => BigInt(meta.weight)),
    start_height: start,
    total_height: height + 1,
  };
}
