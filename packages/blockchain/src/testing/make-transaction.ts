import {
  encodeTransaction,
  parseTransaction,
  rctSignatureMessage,
  type ParsedTransaction,
  type Transaction,
} from '@monero-node/codec';
import type { RingPoint } from '@monero-node/crypto';
import {
  commit,
  Fn,
  keyImageOf,
  proveBulletproofPlus,
  signClsag,
  type TestRandom,
} from '@monero-node/crypto/testing';

/** An output and the secrets that spend it. */
export interface OwnedOutput {
  /** Position in the list of RingCT outputs. */
  readonly index: number;
  readonly secretKey: bigint;
  readonly mask: bigint;
  /** Atomic units. */
  readonly amount: bigint;
}

export interface TransactionPlan {
  readonly inputs: readonly OwnedOutput[];
  /** Returns the ascending indices of an input's ring, including its own. */
  ring(input: OwnedOutput): readonly number[];
  member(index: number): RingPoint;
  /** Atomic units. */
  readonly fee: bigint;
  /** Number of outputs; 2 by default. */
  readonly outputs?: number;
  readonly extra?: Uint8Array;
  readonly unlockTime?: bigint;
  readonly random: TestRandom;
}

/** Makes a valid transaction of RingCT type 6 like a wallet's, to keys without known secret keys. */
export function makeTransaction(plan: TransactionPlan): ParsedTransaction {
  const { random } = plan;
  const inputs = [...plan.inputs]
    .map((output) => ({ output, keyImage: keyImageOf(output.secretKey) }))
    .sort((a, b) => Buffer.compare(b.keyImage, a.keyImage));
  const openings = share(plan).map((amount) => ({ amount, mask: random.scalar() }));
  const pseudoMasks = inputs.map(() => random.scalar());
  const total = (masks: readonly bigint[]) => masks.reduce((sum, mask) => Fn.add(sum, mask), 0n);
  const others = total(pseudoMasks.slice(1));
  pseudoMasks[0] = Fn.sub(total(openings.map(({ mask }) => mask)), others);
  const { commitments, ...proof } = proveBulletproofPlus(openings, random);
  const pseudoOuts = inputs.map(({ output }, i) => commit(pseudoMasks[i] ?? 0n, output.amount));
  const rings = inputs.map(({ output }) => plan.ring(output));
  const tx: Transaction = {
    version: 2,
    unlockTime: plan.unlockTime ?? 0n,
    inputs: inputs.map(({ keyImage }, i) => ({
      kind: 'key',
      amount: 0n,
      keyOffsets: relative(rings[i] ?? []),
      keyImage,
    })),
    outputs: openings.map(() => ({
      amount: 0n,
      target: { kind: 'tagged-key', key: random.point(), viewTag: 7 },
    })),
    extra: plan.extra ?? Uint8Array.of(1, ...random.point()),
    rct: {
      type: 6,
      fee: plan.fee,
      pseudoOuts: [],
      ecdhInfo: openings.map(() => ({ amount: random.bytes().subarray(0, 8) })),
      outPk: [...commitments],
    },
    prunable: {
      rangeSigs: [],
      bulletproofs: [],
      bulletproofsPlus: [{ ...proof, L: [...proof.L], R: [...proof.R] }],
      mlsags: [],
      clsags: rings.map((ring) => unsigned(ring.length)),
      pseudoOuts,
    },
  };
  const message = rctSignatureMessage(parseTransaction(encodeTransaction(tx)));
  const clsags = inputs.map(({ output }, i) => {
    const ring = (rings[i] ?? []).map((index) => plan.member(index));
    const secrets = {
      index: (rings[i] ?? []).indexOf(output.index),
      key: output.secretKey,
      maskDifference: Fn.sub(output.mask, pseudoMasks[i] ?? 0n),
    };
    const statement = { message, ring, pseudoOut: pseudoOuts[i] ?? new Uint8Array(32) };
    const { s, c1, D } = signClsag(statement, secrets, random);
    return { s: [...s], c1, D };
  });
  const signed = { ...tx, ...(tx.prunable && { prunable: { ...tx.prunable, clsags } }) };
  return parseTransaction(encodeTransaction(signed));
}

/** Divides the inputs' amounts minus the fee among the outputs. */
function share({ inputs, fee, outputs = 2 }: TransactionPlan): bigint[] {
  const left = inputs.reduce((sum, { amount }) => sum + amount, 0n) - fee;
  const each = left / BigInt(outputs);
  return Array.from({ length: outputs }, (_, i) =>
    i === 0 ? left - each * BigInt(outputs - 1) : each,
  );
}

function relative(indices: readonly number[]): bigint[] {
  return indices.map((index, i) => BigInt(index - (i === 0 ? 0 : (indices[i - 1] ?? 0))));
}

function unsigned(ringSize: number) {
  const nothing = new Uint8Array(32);
  return { s: Array.from({ length: ringSize }, () => nothing), c1: nothing, D: nothing };
}
