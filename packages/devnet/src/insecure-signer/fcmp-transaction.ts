import {
  compareBytes,
  encodeTransaction,
  FCMP_TYPE,
  parseTransaction,
  rctSignatureMessage,
  type ParsedTransaction,
  type RctPrunable,
  type Transaction,
} from '@monero-node/codec';
import { fcmpPlusPlusProofBytes } from '@monero-node/codec/fcmp-proof-size';
import { Fn, proveBulletproofPlus, SYSTEM_SCALARS } from '@monero-node/crypto/insecure-signer';
import { proveFcmpPlusPlus, type TreePath } from '@monero-node/fcmp/insecure-prover';
import type { MadeEnote } from '@monero-node/wallet-primitives';
import { scalarOf } from './outputs.ts';
import { blankProof } from './transaction.ts';

/** An output to spend, and where it is in the tree. */
export interface SpentTreeOutput {
  /** 32 bytes. */
  readonly keyImage: Uint8Array;
  /** The secrets of its key, x·G + y·T, 32 bytes each. */
  readonly secret: Uint8Array;
  readonly secretT: Uint8Array;
  /** Mask of its commitment, 32 bytes. */
  readonly mask: Uint8Array;
  /** As the tree has it: three points, 32 bytes each. */
  readonly leaf: { readonly O: Uint8Array; readonly I: Uint8Array; readonly C: Uint8Array };
  readonly path: TreePath;
  /** Whether `keyImage` is that of the output with torsion added; false when absent. */
  readonly isImageTorsioned?: boolean;
}

/** What a transaction of RingCT type 7 consists of. */
export interface FcmpPlan<Input> {
  readonly inputs: readonly Input[];
  readonly outputs: readonly MadeEnote[];
  readonly extra: Uint8Array;
  /** Atomic units. */
  readonly fee: bigint;
  /** What the transaction says of the tree. */
  readonly reference: { readonly block: number; readonly layers: number };
}

const NOTHING = new Uint8Array(32);

/** Returns inputs in the order of a transaction: by key image, 32 bytes, the highest first. Source: the rules of hard fork 7. */
export function inOrderOfImages<Input extends { readonly keyImage: Uint8Array }>(
  inputs: readonly Input[],
): Input[] {
  return inputs.toSorted((a, b) => compareBytes(b.keyImage, a.keyImage));
}

/**
 * Returns a transaction without proofs, for key images of 32 bytes. All fields have the sizes of the whole one. It may state any fee.
 *
 * Source: the layout of store_carrot_to_transaction_v1 in src/carrot_impl/format_utils.cpp.
 */
export function blankFcmpTransaction(
  plan: FcmpPlan<{ readonly keyImage: Uint8Array }>,
): Transaction & { prunable: RctPrunable } {
  const { outputs, extra, fee, reference } = plan;
  const inputs = inOrderOfImages(plan.inputs);
  const proof = new Uint8Array(fcmpPlusPlusProofBytes(inputs.length, reference.layers));
  return {
    version: 2,
    unlockTime: 0n,
    inputs: inputs.map(({ keyImage }) => ({ kind: 'key', amount: 0n, keyOffsets: [], keyImage })),
    outputs: outputs.map(({ enote }) => {
      const { onetimeAddress: key, viewTag, encryptedAnchor: encryptedJanusAnchor } = enote;
      return { amount: 0n, target: { kind: 'carrot', key, viewTag, encryptedJanusAnchor } };
    }),
    extra,
    rct: {
      type: FCMP_TYPE,
      fee,
      pseudoOuts: [],
      ecdhInfo: outputs.map(({ enote }) => ({ amount: enote.encryptedAmount })),
      outPk: outputs.map(({ enote }) => enote.amountCommitment),
    },
    prunable: {
      rangeSigs: [],
      bulletproofs: [],
      bulletproofsPlus: [blankProof(outputs.length)],
      mlsags: [],
      clsags: [],
      fcmp: { referenceBlock: BigInt(reference.block), treeLayers: reference.layers, proof },
      pseudoOuts: inputs.map(() => NOTHING),
    },
  };
}

/**
 * Returns the transaction with its proofs. The time that it takes depends on the secrets: for coins without value only. Whether amounts
 * add up is left to those who verify it. Throws RangeError for a secret that is not below l, and as `proveFcmpPlusPlus` does.
 */
export function proveFcmpTransaction(plan: FcmpPlan<SpentTreeOutput>): ParsedTransaction {
  const inputs = inOrderOfImages(plan.inputs);
  const openings = plan.outputs.map(({ amount, mask }) => ({ amount, mask: scalarOf(mask) }));
  const sum = (masks: readonly bigint[]) => masks.reduce((all, mask) => Fn.add(all, mask), 0n);
  const masks = inputs.slice(1).map(() => SYSTEM_SCALARS.scalar());
  masks.unshift(Fn.sub(sum(openings.map(({ mask }) => mask)), sum(masks)));

  const blank = blankFcmpTransaction(plan);
  const { prunable } = blank;
  // Its commitments are those of the outputs.
  const { A, A1, B, r1, s1, d1, L, R } = proveBulletproofPlus(openings, SYSTEM_SCALARS);
  prunable.bulletproofsPlus = [{ A, A1, B, r1, s1, d1, L: [...L], R: [...R] }];
  const message = rctSignatureMessage(parseTransaction(encodeTransaction(blank)));
  const { proof, pseudoOuts } = proveFcmpPlusPlus(
    message,
    inputs.map(({ leaf, path, secret, secretT, mask, isImageTorsioned }, i) => ({
      leaf,
      path,
      isImageTorsioned,
      x: scalarOf(secret),
      y: scalarOf(secretT),
      maskChange: Fn.sub(masks[i] as bigint, scalarOf(mask)),
    })),
  );
  if (prunable.fcmp !== undefined) prunable.fcmp = { ...prunable.fcmp, proof };
  prunable.pseudoOuts = [...pseudoOuts];
  return parseTransaction(encodeTransaction(blank));
}
