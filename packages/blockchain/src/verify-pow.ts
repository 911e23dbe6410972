import type { ParsedBlock } from '@monero-node/codec';
import { ConsensusError, meetsDifficulty, rulesFor } from '@monero-node/consensus';
import { seedHeight, type PowHasher, type PowRequest } from '@monero-node/pow';
import type { BatchFailure } from './verify-proofs.ts';
import type { VerificationCounters } from './types.ts';

/**
 * What to hash for the proof of work of a block at `height`.
 *
 * @param seedId id of the block at a height, on the chain the block belongs to.
 * @throws ConsensusError 'unsupported-proof' for algorithms before RandomX.
 */
export function powRequest(
  parsed: ParsedBlock,
  height: number,
  seedId: (height: number) => Uint8Array | undefined,
): PowRequest {
  const algorithm = rulesFor(parsed.block.majorVersion).powAlgorithm;
  if (algorithm !== 'randomx') {
    throw new ConsensusError('unsupported-proof', `proof of work ${algorithm}`, { height });
  }
  const seedHash = seedId(seedHeight(height));
  if (seedHash === undefined) throw new Error(`no seed block for height ${height}`);
  return { kind: 'randomx', seedHash, blob: parsed.hashingBlob };
}

/** A block whose proof of work is to be verified. */
export interface PowStatement {
  readonly height: number;
  readonly difficulty: bigint;
  readonly request: PowRequest;
}

/** @throws ConsensusError 'bad-proof-of-work' */
export async function verifyPow(pow: PowHasher, statement: PowStatement): Promise<void> {
  const hash = await pow.hash(statement.request);
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
