import { type CurveTreeRoot, type ParsedTransaction, toHex } from '@monero-node/codec';
import { readNextFork, type NextForkChain } from '@monero-node/codec/testing';
import {
  checkInputs,
  checkRelay,
  checkTransaction,
  computeWeightState,
  ConsensusError,
  minimumFee,
  NO_RING_SIGNATURES,
  rulesFor,
  transactionWeight,
  verifyProofs,
  type ChainLookup,
  type ConsensusErrorCode,
} from '@monero-node/consensus';
import type { VerificationPool } from '@monero-node/crypto';
import { asReported } from '@monero-node/mempool';
import { RPC_FLAGS_OF_ERROR } from '../error-flags.ts';

/** The recorded chains, by name. */
export const nextForkChain = (name: NextForkChain['name']): NextForkChain =>
  readNextFork().chains.find((chain) => chain.name === name) as NextForkChain;

/** A chain above which a transaction is judged, and which knows nothing but its trees and one spent output. */
export function chainAt(
  height: number,
  version: number,
  treeRoot: (index: number) => CurveTreeRoot | undefined,
  spent?: Uint8Array,
): ChainLookup {
  return {
    height,
    version,
    adjustedTime: () => 0,
    readRingMember: () => false,
    commitToAmount: () => new Uint8Array(32),
    outputCount: () => Infinity,
    isSpent: (keyImage) => spent !== undefined && toHex(keyImage) === toHex(spent),
    treeRoot,
  };
}

/** Judges a transaction in the order of the pool. Returns the code of the rule that it breaks; undefined for none. */
export async function judge(
  parsed: ParsedTransaction,
  chain: ChainLookup,
  pool: VerificationPool,
  baseReward: number,
): Promise<ConsensusErrorCode | undefined> {
  const rules = rulesFor(chain.version);
  const txId = toHex(parsed.id);
  const verify = async (transaction: Parameters<typeof verifyProofs>[1][0]['transaction']) => {
    const failure = await verifyProofs(pool, [{ block: 0, transaction }]);
    if (failure !== undefined) throw failure.error;
  };
  try {
    const weightState = computeWeightState(rules, [0], 0);
    const weight = transactionWeight(parsed);
    checkRelay(parsed, {
      minimumFee: minimumFee({ rules, baseReward: BigInt(baseReward), weightState, weight }),
    });
    const checks = checkTransaction(rules, parsed, txId);
    await verify({ txId, checks, ringSignatures: NO_RING_SIGNATURES });
    const ringSignatures = checkInputs(rules, parsed, chain);
    await verify({ txId, checks: { points: [], keyImages: [] }, ringSignatures });
    return undefined;
  } catch (error) {
    if (error instanceof ConsensusError) return asReported(error, parsed).code;
    throw error;
  }
}

/** The flags that an answer for a code has, in order. */
export const flagsOf = (code: ConsensusErrorCode): string[] => [...RPC_FLAGS_OF_ERROR[code]].sort();

/** What upstream says when the proof is the first that is wrong, or throws while it reads it. */
export const NEEDS_PROOF = /Failed to verify input FCMP\+\+ signatures|fcmp_pp_verify_input_new/;
