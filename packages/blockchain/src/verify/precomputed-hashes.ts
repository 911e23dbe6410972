import { bytesEqual } from '@monero-node/codec';
import {
  BLOCK_GROUP_SIZE,
  hashGroupIds,
  hashGroupWeights,
  type BlockGroup,
} from '@monero-node/consensus';

/** Ids a peer offers, beginning at height `start`, with the weights of the blocks if it knows them. */
export interface OfferedIds {
  readonly start: number;
  readonly ids: readonly Uint8Array[];
  /** As many as ids, or none. */
  readonly weights: readonly bigint[];
}

/** What is stored already, to complete the first group of what is offered. */
export interface StoredIds {
  readonly height: number;
  blockMeta(height: number): { readonly id: Uint8Array; readonly weight: number } | undefined;
}

interface KnownBlock {
  readonly id: Uint8Array;
  /** Absent when the peer that told the ids did not tell the weights. */
  readonly weight?: number;
}

/**
 * Blocks whose ids are known to be right before they are here, because the hash of their group was
 * known beforehand. Of these neither proof of work nor any signature has to be verified.
 *
 * Source: src/cryptonote_core/blockchain.cpp, prevalidate_block_hashes.
 */
export class PrecomputedHashes {
  readonly #groups: readonly BlockGroup[];
  readonly #blocks = new Map<number, KnownBlock>();

  constructor(groups: readonly BlockGroup[]) {
    this.#groups = groups;
  }

  /** First height that no group covers. */
  get end(): number {
    return this.#groups.length * BLOCK_GROUP_SIZE;
  }

  /** The only id a block at this height may have; undefined: the block must be verified. */
  idAt(height: number): Uint8Array | undefined {
    return this.#blocks.get(height)?.id;
  }

  /** The weight that the block known for this height has, if that is known too. */
  weightAt(height: number): number | undefined {
    return this.#blocks.get(height)?.weight;
  }

  /**
   * Compares offered ids with the groups, and remembers those of groups that match.
   *
   * @returns how many of the ids, from the first, may be used: all until the first group that does not
   *   match, and without those of a last group that is incomplete. Behind the last group anything goes.
   */
  approve(offer: OfferedIds, stored: StoredIds): number {
    const { start, ids } = offer;
    if (start >= this.end || ids.length === 0) return ids.length;
    this.#forgetBelow(stored.height);
    const end = start + ids.length;
    const first = Math.floor(start / BLOCK_GROUP_SIZE);
    if (ids.length < BLOCK_GROUP_SIZE && end <= (first + 1) * BLOCK_GROUP_SIZE - 1) {
      return ids.length;
    }
    // Without the blocks below, the first, partial group cannot be judged: those are verified.
    const skip = start > stored.height && start % BLOCK_GROUP_SIZE !== 0 ? 1 : 0;
    for (let group = first + skip; group < this.#groups.length; group++) {
      const from = group * BLOCK_GROUP_SIZE;
      if (from + BLOCK_GROUP_SIZE > end) return Math.max(0, from - start);
      if (!this.#matches(group, offer, stored)) return Math.max(0, from - start);
    }
    return ids.length;
  }

  #matches(group: number, offer: OfferedIds, stored: StoredIds): boolean {
    const expected = this.#groups[group];
    const from = group * BLOCK_GROUP_SIZE;
    const ids: Uint8Array[] = [];
    const weights: bigint[] = [];
    for (let height = from; height < from + BLOCK_GROUP_SIZE; height++) {
      const own = height < offer.start ? stored.blockMeta(height) : undefined;
      const id = own?.id ?? offer.ids[height - offer.start];
      if (id === undefined) return false;
      ids.push(id);
      if (offer.weights.length === 0) continue;
      weights.push(own ? BigInt(own.weight) : (offer.weights[height - offer.start] ?? 0n));
    }
    if (expected === undefined || !bytesEqual(hashGroupIds(ids), expected.ids)) return false;
    if (weights.length > 0 && !bytesEqual(hashGroupWeights(weights), expected.weights))
      return false;
    ids.forEach((id, i) => this.#remember(from + i, id, weights[i]));
    return true;
  }

  /** Weights are not forgotten when another peer tells the same ids without them. */
  #remember(height: number, id: Uint8Array, told: bigint | undefined): void {
    const weight = told === undefined ? this.weightAt(height) : Number(told);
    this.#blocks.set(height, weight === undefined ? { id } : { id, weight });
  }

  /** Stored blocks need no judgement any more; the table holds what is being downloaded. */
  #forgetBelow(height: number): void {
    for (const at of this.#blocks.keys()) if (at < height) this.#blocks.delete(at);
  }
}
