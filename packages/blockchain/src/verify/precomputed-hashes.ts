import { bytesEqual } from '@monero-node/codec';
import {
  BLOCK_GROUP_SIZE,
  hashGroupIds,
  hashGroupWeights,
  type BlockGroup,
} from '@monero-node/consensus';

/** Block ids offered by a peer, from height `start` upwards, and the weights of the blocks if it knows them. */
export interface OfferedIds {
  readonly start: number;
  readonly ids: readonly Uint8Array[];
  /** One per id, or none at all. */
  readonly weights: readonly bigint[];
}

/** The stored blocks that complete the first offered group. */
export interface StoredIds {
  readonly height: number;
  blockMeta(height: number): { readonly id: Uint8Array; readonly weight: number } | undefined;
}

interface KnownBlock {
  readonly id: Uint8Array;
  /** Absent when the peer that sent the ids did not send weights. */
  readonly weight?: number;
}

/**
 * Blocks whose ids are known to be right before they arrive, because the node ships the hash of their group.
 * Their proof of work and signatures need no verification.
 *
 * Source: prevalidate_block_hashes in src/cryptonote_core/blockchain.cpp.
 */
export class PrecomputedHashes {
  readonly #groups: readonly BlockGroup[];
  readonly #blocks = new Map<number, KnownBlock>();

  constructor(groups: readonly BlockGroup[]) {
    this.#groups = groups;
  }

  /** The first height above all groups. */
  get end(): number {
    return this.#groups.length * BLOCK_GROUP_SIZE;
  }

  /** Returns the only 32-byte id that a block at this height may have; undefined when the block must be verified. */
  idAt(height: number): Uint8Array | undefined {
    return this.#blocks.get(height)?.id;
  }

  /** Returns the weight of the block known for this height, if its weight is known too. */
  weightAt(height: number): number | undefined {
    return this.#blocks.get(height)?.weight;
  }

  /**
   * Compares offered ids with the groups, and remembers the ids of groups that match.
   *
   * @returns how many of the ids, from the first, may be used: all up to the first group that does not
   *   match or is incomplete. Ids above the last group may always be used.
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
    // Without the blocks below, a partial first group cannot be compared: its blocks are verified.
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

  /** Keeps a known weight when another peer sends the same id without one. */
  #remember(height: number, id: Uint8Array, offered: bigint | undefined): void {
    const weight = offered === undefined ? this.weightAt(height) : Number(offered);
    this.#blocks.set(height, weight === undefined ? { id } : { id, weight });
  }

  /** Drops ids of stored blocks, so that the table holds only blocks being downloaded. */
  #forgetBelow(height: number): void {
    for (const at of this.#blocks.keys()) if (at < height) this.#blocks.delete(at);
  }
}
