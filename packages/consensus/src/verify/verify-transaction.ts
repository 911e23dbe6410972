import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { ParsedTransaction } from '@monero-node/codec';
import { toHex } from '@monero-node/codec';
import {
  createInlineVerificationPool,
  type CryptoBackend,
  isElement,
  type RingPoint,
  type VerificationPool,
} from '@monero-node/crypto';
import { ConsensusError } from '../errors/consensus-error.ts';
import type { ConsensusErrorCode } from '../errors/error-codes.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { checkInputs, type ChainLookup } from '../inputs/inputs.ts';
import type { RingSlot } from '../inputs/rings.ts';
import { NO_RING_SIGNATURES } from '../inputs/ring-signatures.ts';
import { checkTransaction } from '../transaction/transaction.ts';
import { verifyProofs, type PendingProofs } from './verify-proofs.ts';

/** Options of {@link verifyTransaction}. Give `backend` or `pool`. */
export interface VerifyTransactionOptions {
  /** Fork version of the block that holds the transaction, or of the next block: 1 to 16. */
  readonly version: number;
  /** Computes on the calling thread, which takes milliseconds for each input and each range proof. */
  readonly backend?: CryptoBackend;
  /** Computes on threads; for programs that have other things to do meanwhile. */
  readonly pool?: VerificationPool;
  /**
   * Returns the number of outputs of an amount (atomic units) on the chain. Until fork 15, old outputs that are too few to
   * fill a ring may be spent with a smaller one. Without it every output counts as mixable.
   */
  readonly outputCount?: (amount: bigint) => number;
}

const OPTIONS: OptionTable<VerifyTransactionOptions> = {
  version: NEEDED,
  backend: OPTIONAL,
  pool: OPTIONAL,
  outputCount: OPTIONAL,
};

/** The result of {@link verifyTransaction}: valid, or the code of the first rule that the transaction breaks. */
export type TransactionVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: ConsensusErrorCode; readonly error: ConsensusError };

/** A ring member that the caller knows; undefined if the chain has no such output. */
export type KnownRingMember =
  | (RingPoint & {
      /** Whether it is a Carrot output, which no ring may have; not by default. */
      readonly isCarrot?: boolean | undefined;
    })
  | undefined;

/** A number above the prime of the field, which decodes to no point. */
const NO_POINT = new Uint8Array(32).fill(0xff);
const NO_CHECKS: PendingProofs['checks'] = { points: [], keyImages: [] };
/** Above all heights and times, so that no ring member is too young. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/**
 * Verifies a transaction by all rules of a fork that depend on the transaction and its ring members: form, sizes, range
 * proofs, balance, key images and ring signatures.
 *
 * It cannot know what only a chain knows: whether a key image is spent, and whether a ring member is unlocked and old
 * enough. A `Blockchain` checks that too, with its `transactionVerifier`.
 *
 * Rejects with RangeError when there is no such fork, `rings` has not the shape of the inputs, or neither `backend` nor
 * `pool` is given; with OptionError for a missing or an unknown option; and with VerificationPoolError when a pool fails.
 *
 * Source: ver_non_input_consensus in src/cryptonote_core/tx_verification_utils.cpp, and check_tx_inputs in
 * src/cryptonote_core/blockchain.cpp.
 *
 * @param rings for each input that spends a key output, its ring members in the order of the offsets: key and
 *   commitment, 32 bytes each, as `fetchRings` of `@monero-node/rpc-client` returns them. For outputs of amounts that are not
 *   hidden the commitment is `commitToAmount(amount)`
 * @example
 * ```js
 * import { parseBlock } from '@monero-node/codec';
 * import { NETWORKS, verifyTransaction } from '@monero-node/consensus';
 * import { createBackend } from '@monero-node/crypto';
 *
 * // The miner transaction of a block spends no output, so it is not valid outside its block.
 * const { minerTx } = parseBlock(NETWORKS.mainnet.genesisBlob);
 * const verdict = await verifyTransaction(minerTx, [], { version: 1, backend: createBackend() });
 * console.log(verdict.ok, verdict.code); // false input-type
 * ```
 */
export async function verifyTransaction(
  parsed: ParsedTransaction,
  rings: readonly (readonly KnownRingMember[])[],
  options: VerifyTransactionOptions,
): Promise<TransactionVerdict> {
  checkOptions('verifyTransaction', options, OPTIONS);
  const rules = rulesFor(options.version);
  const pool = poolOf(options);
  const chain = chainOf(parsed, rings, options);
  const txId = toHex(parsed.id);
  try {
    const checks = checkTransaction(rules, parsed, txId);
    await verify(pool, { txId, checks, ringSignatures: NO_RING_SIGNATURES });
    const ringSignatures = checkInputs(rules, parsed, chain);
    await verify(pool, { txId, checks: NO_CHECKS, ringSignatures });
  } catch (error) {
    if (!(error instanceof ConsensusError)) throw error;
    return { ok: false, code: error.code, error };
  }
  return { ok: true };
}

async function verify(pool: VerificationPool, transaction: PendingProofs): Promise<void> {
  const failure = await verifyProofs(pool, [{ block: 0, transaction }]);
  if (failure !== undefined) throw failure.error;
}

function poolOf({ backend, pool }: VerifyTransactionOptions): VerificationPool {
  if (pool !== undefined) return pool;
  if (backend === undefined) throw new RangeError('verifyTransaction needs a backend or a pool');
  return createInlineVerificationPool(backend);
}

/** Returns a chain that consists of the given ring members, all old and unspent. */
function chainOf(
  { tx }: ParsedTransaction,
  rings: readonly (readonly KnownRingMember[])[],
  { version, outputCount = () => Infinity }: VerifyTransactionOptions,
): ChainLookup {
  const sizes = tx.inputs.flatMap((input) =>
    input.kind === 'key' ? [input.keyOffsets.length] : [],
  );
  if (rings.length !== sizes.length) {
    throw new RangeError(`${rings.length} rings for ${sizes.length} inputs`);
  }
  for (const [i, size] of sizes.entries()) {
    const given = rings[i]?.length;
    if (given !== size) throw new RangeError(`ring ${i} has ${given} members, not ${size}`);
  }
  // Members are looked up ring by ring, in order.
  const members = rings.flat().values();
  return {
    height: END_OF_TIME,
    version,
    adjustedTime: () => END_OF_TIME,
    readRingMember: (slot) => readOldMember(slot, members.next().value),
    commitToAmount: () => {
      throw new Error('each member is given with its commitment');
    },
    outputCount,
    isSpent: () => false,
  };
}

/** Reads a member that is old and unlocked; returns whether there is one. */
function readOldMember(slot: RingSlot, member: KnownRingMember): boolean {
  if (member === undefined) return false;
  putPoint(slot.bytes, slot.keyAt, member.key);
  putPoint(slot.bytes, slot.commitmentAt, member.commitment);
  slot.hasCommitment = true;
  slot.unlockTime = 0n;
  slot.height = 0;
  slot.isCarrot = member.isCarrot === true;
  return true;
}

/** Copies a point, or what is none in place of anything but 32 bytes: no signature holds with either. */
function putPoint(target: Uint8Array, at: number, point: Uint8Array): void {
  target.set(isElement(point) ? point : NO_POINT, at);
}
