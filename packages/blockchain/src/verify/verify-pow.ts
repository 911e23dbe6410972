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

/** Where the proof-of-work hash of a block comes from. */
export type PowSource =
  | PowRequest
  /** Not computed: the one that counts for this block. */
  | { readonly kind: 'historical'; readonly hash: Uint8Array };

const CRYPTONIGHT_VARIANTS: Readonly<
  Record<Exclude<ForkRules['powAlgorithm'], 'randomx'>, CryptonightVariant>
> = { 'cryptonight-0': 0, 'cryptonight-1': 1, 'cryptonight-2': 2, 'cryptonight-r': 4 };

/**
 * What to hash for the proof of work of a block at `height` (get_block_longhash in upstream's
 * cryptonote_format_utils.cpp). The algorithm is that of the block's own major version, which is held
 * against the fork table apart from this.
 *
 * @param seedId id of the block at a height, on the chain the block belongs to.
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

/** The 32-byte proof-of-work hash. @throws PowUnavailableError */
export async function powHashOf(pow: PowHasher, source: PowSource): Promise<Uint8Array> {
  return source.kind === 'historical' ? source.hash : pow.hash(source);
}

/** A block whose proof of work is to be verified. */
export interface PowStatement {
  readonly height: number;
  readonly difficulty: bigint;
  readonly source: PowSource;
}

/** @throws ConsensusError 'bad-proof-of-work' */
export async function verifyPow(pow: PowHasher, statement: PowStatement): Promise<void> {
  const hash = await powHashOf(pow, statement.source);
  if (!meetsDifficulty(hash, statement.difficulty)) {
    const { height, difficulty } = statement;
    throw new ConsensusError('bad-proof-of-work', `difficulty ${difficulty}`, { height });
  }
}

/**
 * Verifies the proof of work of a batch of blocks; returns the failure of the first bad one.
 *
 * @param statements one a block; undefined where there is nothing to verify.
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
  // Anything but a broken rule (out of memory, closed) says nothing about the block.
  if (!(reason instanceof ConsensusError)) throw reason;
  return { block, error: reason };
}
