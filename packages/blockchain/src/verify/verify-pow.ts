import type { ParsedBlock } from '@monero-node/codec';
import {
  ConsensusError,
  HISTORICAL_POW_HEIGHT,
  historicalPowHash,
  isRandomxAlgorithm,
  meetsDifficulty,
  powRuleOf,
  type BatchFailure,
  type Network,
} from '@monero-node/consensus';
import {
  PowUnavailableError,
  seedHeight,
  type PowHasher,
  type PowRequest,
  type PowUnavailableCode,
} from '@monero-node/pow';
import type { VerificationCounters } from '../types.ts';
import { powRequestOf } from './pow-request.ts';

/** The input of the proof-of-work hash of a block. */
export type PowSource =
  | PowRequest
  /** A 32-byte hash that replaces the computed one. */
  | { readonly kind: 'historical'; readonly hash: Uint8Array };

/** Takes the place of the seed hash where there is none. */
const NO_SEED = new Uint8Array(32);

/**
 * Returns the input of the proof-of-work hash of a block at `height`. The block's own major version selects the
 * algorithm of the network; the version itself is checked elsewhere.
 *
 * Throws Error when the RandomX seed block is unknown.
 * Source: get_block_longhash in src/cryptonote_core/cryptonote_tx_utils.cpp.
 *
 * @param network whose forks may name the algorithm
 * @param seedId returns the 32-byte id of the block at a height, on the chain the block belongs to
 */
export function powSource(
  network: Pick<Network, 'hardForks'>,
  parsed: ParsedBlock,
  height: number,
  seedId: (height: number) => Uint8Array | undefined,
): PowSource {
  const blob = parsed.hashingBlob;
  const historical = height === HISTORICAL_POW_HEIGHT ? historicalPowHash(blob) : undefined;
  if (historical !== undefined) return { kind: 'historical', hash: historical };
  const rule = powRuleOf(network, parsed.block.majorVersion);
  const isSeeded = isRandomxAlgorithm(rule.algorithm);
  const seedHash = isSeeded ? seedId(seedHeight(height)) : NO_SEED;
  if (seedHash === undefined) throw new Error(`no seed block for height ${height}`);
  return powRequestOf(rule, { height, blob, seedHash });
}

/** Computes the 32-byte proof of work, a hash or the commitment to it. Throws PowUnavailableError when no hasher works. */
export async function powHashOf(pow: PowJudge, source: PowSource): Promise<Uint8Array> {
  return source.kind === 'historical' ? source.hash : pow.hash(source);
}

/** What verifies proofs of work: a hasher, or a part of one. */
export type PowJudge = Pick<PowHasher, 'hash' | 'confirm'>;

/** A hash that does not meet the difficulty of its block, and that no second engine has seen. */
export interface DoubtedHash {
  readonly request: PowRequest;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** Returns the hasher without its second opinions: no bad hash is confirmed, and `onDoubt` gets it instead. */
export function withoutConfirmation(
  pow: PowJudge,
  onDoubt: (doubted: DoubtedHash) => void,
): PowJudge {
  return {
    hash: (request) => pow.hash(request),
    confirm: (request, hash) => {
      onDoubt({ request, hash });
      return Promise.reject(
        new PowUnavailableError('unconfirmed', 'a guess asks no second engine'),
      );
    },
  };
}

/** A block whose proof of work is to be verified. */
export interface PowStatement {
  readonly height: number;
  readonly difficulty: bigint;
  readonly source: PowSource;
}

/**
 * Returns whether the proof of work of a block takes a hash. Every hash meets difficulty 1, so a chain may leave out those
 * (`BlockchainOptions.skipEasiestWork`).
 */
export function needsHash(
  { skipEasiestWork = false }: { readonly skipEasiestWork?: boolean | undefined },
  difficulty: bigint,
): boolean {
  return !skipEasiestWork || difficulty !== 1n;
}

/**
 * Verifies one proof of work. A hash that does not meet the difficulty must be confirmed before it counts.
 *
 * Throws ConsensusError 'bad-proof-of-work', or 'unconfirmed-proof-of-work' when no other computation was made.
 * Throws PowUnavailableError when this machine computes no hash that can be relied on.
 */
export async function verifyPow(pow: PowJudge, statement: PowStatement): Promise<void> {
  await judge(pow, statement, await powHashOf(pow, statement.source));
}

/** Throws like {@link verifyPow} unless `hash`, or the hash that is right instead of it, meets the difficulty. */
async function judge(pow: PowJudge, statement: PowStatement, hash: Uint8Array): Promise<void> {
  const { height, difficulty, source } = statement;
  if (meetsDifficulty(hash, difficulty)) return;
  const right = source.kind === 'historical' ? hash : await confirmedHash(pow, source, hash);
  if (right === undefined) throw new ConsensusError('unconfirmed-proof-of-work', '', { height });
  if (meetsDifficulty(right, difficulty)) return;
  throw new ConsensusError('bad-proof-of-work', `difficulty ${difficulty}`, { height });
}

/** Reasons for which a hash is neither confirmed nor contradicted. */
const NO_OPINION: ReadonlySet<PowUnavailableCode> = new Set(['too-many-refusals', 'unconfirmed']);

/**
 * Returns the hash, 32 bytes, that can be relied on; undefined when hashes were confirmed too often of late, or when no
 * other engine works, for which a stranger's bad block must not hold up the chain. Throws PowUnavailableError.
 */
export async function confirmedHash(
  pow: PowJudge,
  source: PowRequest,
  hash: Uint8Array,
): Promise<Uint8Array | undefined> {
  try {
    return pow.confirm === undefined ? hash : await pow.confirm(source, hash);
  } catch (error) {
    if (error instanceof PowUnavailableError && NO_OPINION.has(error.code)) return undefined;
    throw error;
  }
}

/**
 * Verifies the proof of work of a batch of blocks, and returns the failure of the first bad one. Hashes are computed
 * in parallel and judged in order, so that a flood of bad ones costs one confirmation.
 *
 * Throws the error of the hasher when it fails for another reason, such as lack of memory.
 *
 * @param statements one per block; undefined for blocks with nothing to verify
 */
export async function verifyPowBatch(
  pow: PowJudge,
  statements: readonly (PowStatement | undefined)[],
  counters: VerificationCounters,
): Promise<BatchFailure | undefined> {
  const hashes = await Promise.allSettled(
    statements.map((statement) => statement && powHashOf(pow, statement.source)),
  );
  let good = 0;
  let failure: BatchFailure | undefined;
  for (const [block, statement] of statements.entries()) {
    const outcome = hashes[block];
    if (statement === undefined || outcome === undefined) continue;
    // Such errors (out of memory, closed) do not mean that the block is bad.
    if (outcome.status === 'rejected') throw outcome.reason;
    try {
      await judge(pow, statement, outcome.value as Uint8Array);
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      failure = { block, error };
      break;
    }
    good++;
  }
  counters.pow += good;
  return failure;
}
