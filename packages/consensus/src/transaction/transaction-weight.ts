import { FCMP_TYPE, toHex, varintSize } from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import { MAX_INPUTS, membershipProofBytes } from '@monero-node/codec/fcmp-proof-size';
import { ConsensusError } from '../errors/consensus-error.ts';
import type { ForkRules } from '../forks/fork-table.ts';
import { MAX_BULLETPROOF_OUTPUTS, MAX_EXTRA } from '../primitives/constants.ts';

/** The sizes that determine the weight of a transaction with an aggregated range proof. */
interface ProofFamily {
  /** Number of 32-byte elements of a proof besides its L and R. */
  readonly elements: number;
  readonly linkableRings: 'mlsag' | 'clsag';
}

const FAMILIES: Readonly<Record<number, ProofFamily>> = {
  3: { elements: 9, linkableRings: 'mlsag' },
  4: { elements: 9, linkableRings: 'mlsag' },
  5: { elements: 9, linkableRings: 'clsag' },
  6: { elements: 6, linkableRings: 'clsag' },
};

/** RingCT types whose pruned form has a weight. */
const PRUNABLE_TYPES: readonly number[] = [4, 5, 6, FCMP_TYPE];

/** Layers of the tree that weights of type 7 are computed with, whatever the transaction says. */
const WEIGHT_LAYERS = 7;
/** Bytes of a fee in these weights. */
const WEIGHT_FEE_BYTES = 10;

/**
 * Whether the pruned forms of all RingCT transactions that these rules allow have weights.
 *
 * Source: get_pruned_transaction_weight in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function hasPrunedWeights(rules: Pick<ForkRules, 'rctTypes'>): boolean {
  const { rctTypes } = rules;
  return rctTypes.length > 0 && rctTypes.every((type) => PRUNABLE_TYPES.includes(type));
}

/**
 * Returns the weight of a transaction: its bytes, plus the clawback for RingCT types 3 to 6. They have
 * one range proof for all outputs, which is smaller than the work of verifying it. A miner transaction, which before
 * fork 12 may carry proofs that nobody verifies, may have several; what they could cover is added up. The weight of a
 * pruned transaction is derived from its base form. Type 7 has weights of its own: see fcmpWeight.
 *
 * Throws ConsensusError 'proof-layout' when a proof is of an impossible size, when there is a clawback and more than
 * 16 outputs, or when the transaction is pruned and of a type without a pruned weight.
 *
 * Source: get_transaction_weight and get_pruned_transaction_weight in
 * src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function transactionWeight(p: ParsedTransaction): number {
  const { inputCount, outputCount, extraSize, rctType } = p.parts;
  if (rctType === FCMP_TYPE) return fcmpWeight(inputCount, outputCount, extraSize);
  if (p.pruned) return prunedTransactionWeight(p);
  const family = familyOf(p);
  if (family === undefined) return p.blob.length;
  const padded = paddedOutputs(p);
  if (padded > 2 && p.parts.outputCount > MAX_BULLETPROOF_OUTPUTS) {
    throw new ConsensusError('proof-layout', `${p.parts.outputCount} outputs`, {
      txId: toHex(p.id),
    });
  }
  return p.blob.length + clawback(family, padded);
}

/**
 * Returns the weight of a transaction of RingCT type 7, which follows from three numbers alone, so that it is the same for a pruned one.
 * It is Infinity, above every limit, for what no such transaction may have: fewer than 2 or more than 16 outputs, no or more than 128
 * inputs, more than 1,060 bytes of tx_extra.
 *
 * Source: get_fcmp_pp_transaction_weight_v1 in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function fcmpWeight(inputs: number, outputs: number, extra: number): number {
  const isPossible =
    inputs >= 1 &&
    inputs <= MAX_INPUTS &&
    outputs >= 2 &&
    outputs <= MAX_BULLETPROOF_OUTPUTS &&
    extra <= MAX_EXTRA;
  if (!isPossible) return Infinity;
  // Version, unlock time; tag, amount, number of offsets and key image of each input; amount, tag, key, view tag and anchor of each output.
  const prefix =
    2 + varintSize(inputs) + 35 * inputs + 1 + 53 * outputs + varintSize(extra) + extra;
  const base = 1 + WEIGHT_FEE_BYTES + 40 * outputs;
  const rounds = 6 + 32 - Math.clz32(outputs - 1);
  const rangeProof = 32 * (6 + 2 * rounds) + 3;
  // Proof of spend authorization, and pseudo output, of each input; reference block and layers.
  const proofs = (480 + 32) * inputs + 6 + membershipProofBytes(inputs, WEIGHT_LAYERS);
  return prefix + base + rangeProof + proofs;
}

function prunedTransactionWeight(p: ParsedTransaction): number {
  const family = familyOf(p);
  const { firstRing: ring, inputCount: inputs, outputCount, rctType } = p.parts;
  if (family === undefined || ring === undefined || !PRUNABLE_TYPES.includes(rctType)) {
    throw new ConsensusError('proof-layout', 'no weight for this pruned transaction', {
      txId: toHex(p.id),
    });
  }
  const rounds = 6 + Math.ceil(Math.log2(Math.max(1, outputCount)));
  const proofCount = 1;
  const rangeProof = 32 * (family.elements + 2 * rounds) + 2;
  const signatures = inputs * 32 * (family.linkableRings === 'clsag' ? ring + 2 : 2 * ring + 1);
  const pseudoOuts = 32 * inputs;
  const prunable = proofCount + rangeProof + signatures + pseudoOuts;
  return p.unprunedSize + prunable + clawback(family, 2 ** (rounds - 6));
}

function familyOf(p: ParsedTransaction): ProofFamily | undefined {
  return p.parts.version === 1 ? undefined : FAMILIES[p.parts.rctType];
}

/** Returns how many outputs the range proofs could cover together: 2 to the power of the rounds past 6 for each. */
function paddedOutputs(p: ParsedTransaction): number {
  return p.parts.proofRounds.reduce((sum, rounds) => {
    if (rounds >= 6 && rounds <= 10) return sum + 2 ** (rounds - 6);
    throw new ConsensusError('proof-layout', `range proof of ${rounds} rounds`, {
      txId: toHex(p.id),
    });
  }, 0);
}

/** Returns four fifths of the bytes that one proof for `paddedOutputs` saves over proofs of two outputs each. */
function clawback(family: ProofFamily, paddedOutputs: number): number {
  if (paddedOutputs <= 2) return 0;
  const perOutput = (32 * (family.elements + 2 * 7)) / 2;
  const size = 32 * (family.elements + 2 * (6 + Math.ceil(Math.log2(paddedOutputs))));
  return Math.floor(((perOutput * paddedOutputs - size) * 4) / 5);
}
