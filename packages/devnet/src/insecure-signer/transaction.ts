import {
  compareBytes,
  encodeTransaction,
  parseTransaction,
  rctSignatureMessage,
  type Clsag,
  type BulletproofPlus,
  type ParsedTransaction,
  type Transaction,
} from '@monero-node/codec';
import type { RingPoint } from '@monero-node/crypto';
import {
  commit,
  Fn,
  proveBulletproofPlus,
  signClsag,
  SYSTEM_SCALARS,
} from '@monero-node/crypto/insecure-signer';
import { scalarOf, type MadeOutputs } from './outputs.ts';

/** An output in a ring. */
export interface RingMember extends RingPoint {
  /** Its global index among RingCT outputs. */
  readonly index: number;
}

/** An output to spend. */
export interface SpentOutput {
  /** Its global index among RingCT outputs. */
  readonly index: number;
  /** 32 bytes. */
  readonly keyImage: Uint8Array;
  /** Secret key of the output, 32 bytes. */
  readonly secret: Uint8Array;
  /** Mask of its commitment, 32 bytes. */
  readonly mask: Uint8Array;
  /** Atomic units. */
  readonly amount: bigint;
  /** With the output itself. */
  readonly ring: readonly RingMember[];
}

/** What a transaction consists of. */
export interface TransactionPlan {
  readonly inputs: readonly SpentOutput[];
  readonly made: MadeOutputs;
  /** Atomic units. */
  readonly fee: bigint;
}

const BULLETPROOF_PLUS = 6;
const NOTHING = new Uint8Array(32);
/** Rounds of the proof of one output of 64 bits. */
const FEWEST_ROUNDS = 6;

/**
 * Returns a transaction without proofs and signatures, all of whose fields have the sizes of the signed one. It may state any fee.
 */
export function blankTransaction({ inputs, made, fee }: TransactionPlan): Transaction {
  const sorted = inOrder(inputs);
  return {
    version: 2,
    unlockTime: 0n,
    inputs: sorted.map(({ keyImage, ring }) => ({
      kind: 'key',
      amount: 0n,
      keyOffsets: relativeOffsets(ring),
      keyImage,
    })),
    outputs: made.outputs,
    extra: made.extra,
    rct: {
      type: BULLETPROOF_PLUS,
      fee,
      pseudoOuts: [],
      ecdhInfo: made.ecdhInfo,
      outPk: made.outputs.map(() => NOTHING),
    },
    prunable: {
      rangeSigs: [],
      bulletproofs: [],
      bulletproofsPlus: [blankProof(made.outputs.length)],
      mlsags: [],
      clsags: sorted.map(({ ring }) => blankSignature(ring.length)),
      pseudoOuts: sorted.map(() => NOTHING),
    },
  };
}

/**
 * Returns the signed transaction. The time that it takes depends on the secrets: for coins without value only. Whether amounts add up is
 * left to those who verify it. Throws RangeError for a secret that is not below l, and Error for a ring with what is not a point. Source: genRctSimple in src/ringct/rctSigs.cpp.
 */
export function signTransaction(plan: TransactionPlan): ParsedTransaction {
  const inputs = inOrder(plan.inputs);
  const { openings } = plan.made;
  const pseudoMasks = inputs.slice(1).map(() => SYSTEM_SCALARS.scalar());
  const sum = (masks: readonly bigint[]) => masks.reduce((all, mask) => Fn.add(all, mask), 0n);
  pseudoMasks.unshift(Fn.sub(sum(openings.map(({ mask }) => mask)), sum(pseudoMasks)));
  const { commitments, ...proof } = proveBulletproofPlus(openings, SYSTEM_SCALARS);
  const pseudoOuts = inputs.map(({ amount }, i) => commit(pseudoMasks[i] as bigint, amount));

  const blank = blankTransaction(plan);
  const { rct, prunable } = blank;
  if (rct === undefined || prunable === undefined) throw new Error('a transaction without RingCT');
  rct.outPk = [...commitments];
  prunable.bulletproofsPlus = [{ ...proof, L: [...proof.L], R: [...proof.R] }];
  prunable.pseudoOuts = pseudoOuts;
  const message = rctSignatureMessage(parseTransaction(encodeTransaction(blank)));
  prunable.clsags = inputs.map((input, i) => {
    const mask = pseudoMasks[i] as bigint;
    return signInput(input, { message, pseudoOut: pseudoOuts[i] as Uint8Array, mask });
  });
  return parseTransaction(encodeTransaction(blank));
}

function signInput(
  { index, ring, secret, mask }: SpentOutput,
  pseudo: { readonly message: Uint8Array; readonly pseudoOut: Uint8Array; readonly mask: bigint },
): Clsag {
  const { message, pseudoOut } = pseudo;
  const secrets = {
    index: ring.findIndex((member) => member.index === index),
    key: scalarOf(secret),
    maskDifference: Fn.sub(scalarOf(mask), pseudo.mask),
  };
  const { s, c1, D } = signClsag({ message, ring, pseudoOut }, secrets, SYSTEM_SCALARS);
  return { s: [...s], c1, D };
}

/** Inputs stand by key image, the highest first. Source: construct_tx_with_tx_key. */
function inOrder(inputs: readonly SpentOutput[]): SpentOutput[] {
  return inputs.toSorted((a, b) => compareBytes(b.keyImage, a.keyImage));
}

/** Returns the first index and the distance from each to the next. */
function relativeOffsets(ring: readonly RingMember[]): bigint[] {
  return ring.map(({ index }, i) => BigInt(index - (ring[i - 1]?.index ?? 0)));
}

function blankSignature(ringSize: number): Clsag {
  return { s: Array.from({ length: ringSize }, () => NOTHING), c1: NOTHING, D: NOTHING };
}

/** Returns the range proof of so many outputs without its content. */
export function blankProof(outputs: number): BulletproofPlus {
  const rounds = FEWEST_ROUNDS + Math.ceil(Math.log2(outputs));
  const points = Array.from({ length: rounds }, () => NOTHING);
  const scalars = { r1: NOTHING, s1: NOTHING, d1: NOTHING };
  return { A: NOTHING, A1: NOTHING, B: NOTHING, ...scalars, L: points, R: points };
}
