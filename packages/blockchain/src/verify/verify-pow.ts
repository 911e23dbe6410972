import type { ParsedBlock } from '@monero-node/codec';
import {
  ConsensusError,
  HISTORICAL_POW_HEIGHT,
  historicalPowHash,
  meetsDifficulty,
  rulesFor,
  type ForkRules,
} from '@monero-node/consensus';
import {
  seedHeight,
  type CryptonightVariant,
  type PowHasher,
  type PowRequest,
} from '@monero-node/pow';
import type { BatchFailure } from './verify-proofs.ts';
import type { VerificationCounters } from '../types.ts';

/** The input of the proof-of-work hash of a block. */
export type PowSource =
  | PowRequest
  /** A 32-byte hash that replaces the computed one. */
  | { readonly kind: 'historical'; readonly hash: Uint8Array };

const CRYPTONIGHT_VARIANTS: Readonly<
  Record<Exclude<ForkRules['powAlgorithm'], 'randomx'>, CryptonightVariant>
> = { 'cryptonight-0': 0, 'cryptonight-1': 1, 'cryptonight-2': 2, 'cryptonight-r': 4 };

/**
 * Returns the input of the proof-of-work hash of a block at `height`. The block's own major version selects the
 * algorithm; the version itself is checked elsewhere.
 *
 * Throws Error when the RandomX seed block is unknown.
 * Source: get_block_longhash in src/cryptonote_core/cryptonote_tx_utils.cpp.
 *
 * @param seedId returns the 32-byte id of the block at a height, on the chain the block belongs to
 */
export function powSource(
  parsed: ParsedBlock,
  height: number,
  seedId: (height: number) => Uint8Array | undefined,
): PowSource {
  const blob = parsed.hashingBlob;
  const historical = height === HISTORICAL_POW_HEIGHT ? historicalPowHash(blob) : undefined;
  if (historical !== undefined) return { kind: 'historical', hash: historical };
  const { powAlgorithm } = rulesFor(parsed.block.majorVersion);
  if (powAlgorithm !== 'randomx') {
    return { kind: 'cryptonight', variant: CRYPTONIGHT_VARIANTS[powAlgorithm], height, blob };
  }
  const seedHash = seedId(seedHeight(height));
  if (seedHash === undefined) throw new Error(`no seed block for height ${height}`);
  return { kind: 'randomx', seedHash, blob };
}

/** Computes the 32-byte proof-of-work hash. Throws PowUnavailableError when no hasher works. */
export async function powHashOf(pow: PowHasher, source: PowSource): Promise<Uint8Array> {
  return source.kind === 'historical' ? source.hash : pow.hash(source);
}

/** A block whose proof of work is to be verified. */
export interface PowStatement {
  readonly height: number;
  readonly difficulty: bigint;
  readonly source: PowSource;
}

/** Verifies one proof of work. Throws ConsensusError 'bad-proof-of-work' when the hash does not meet the difficulty. */
export async function verifyPow(pow: PowHasher, statement: PowStatement): Promise<void> {
  const hash = await powHashOf(pow, statement.source);
  if (!meetsDifficulty(hash, statement.difficulty)) {
    const { height, difficulty } = statement;
    throw new ConsensusError('bad-proof-of-work', `difficulty ${difficulty}`, { height });
  }
}

/**
 * Verifies the proof of work of a batch of blocks, and returns the failure of the first bad one.
 *
 * Throws the error of the hasher when it fails for another reason, such as lack of memory.
 *
 * @param statements one per block; undefined for blocks with nothing to verify
 */
export async function verifyPowBatch(
  pow: PowHasher,
  statements: readonly (PowStatement | undefined)[],
  counters: VerificationCounters,
): Promise<BatchFailure | undefined> {
  const outcomes = await Promise.allSettled(
    statements.map((statement) => statement && verifyPow(pow, statement)),
  );
  const block = outcomes.findIndex((outcome) => outcome.status === 'rejected');
  const good = block === -1 ? statements : statements.slice(0, block);
  counters.pow += good.filter((statement) => statement !== undefined).length;
  if (block === -1) return undefined;
  const { reason } = outcomes[block] as PromiseRejectedResult;
  // Other errors (out of memory, closed) do not mean that the block is bad.
  if (!(reason instanceof ConsensusError)) throw reason;
  return { block, error: reason };
}
