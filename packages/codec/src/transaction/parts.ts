import { keyImagesOf, outputKey } from './read-transaction.ts';
import type { RctType, Transaction } from './types.ts';

/**
 * What a chain counts and stores of a transaction, whether it verifies the transaction or not. It can be read without making an
 * object for each input, output and signature. Arrays of bytes are views of the transaction's own: copy them to keep them longer.
 */
export interface TransactionParts {
  readonly version: 1 | 2;
  /** A height below 500,000,000, else seconds since 1970. */
  readonly unlockTime: bigint;
  readonly inputCount: number;
  /** Whether an input is of type gen, as in a miner transaction. */
  readonly isCoinbase: boolean;
  /** Ring members of the first input; undefined when that is of another type than key, or there is none. */
  readonly firstRing: number | undefined;
  /** The sum of the inputs' amounts modulo 2^64, in atomic units: version 1 only, 0 for version 2. */
  readonly inputAmount: bigint;
  readonly outputCount: number;
  /** 0 for version 1. */
  readonly rctType: RctType;
  /** The fee that version 2 states, in atomic units; 0 for version 1. */
  readonly rctFee: bigint;
  /** Rounds of each Bulletproof or Bulletproof+; none for other types, and when the transaction is pruned. */
  readonly proofRounds: readonly number[];
  /** Inputs of type key. */
  readonly keyImageCount: number;
  /** Returns the key image of one of them, 32 bytes. */
  keyImage(position: number): Uint8Array;
  /** Returns the amount of an output in atomic units; 0 when a commitment hides it. */
  outputAmount(position: number): bigint;
  /** Returns the one-time key of an output, 32 bytes; undefined when its target has none. */
  outputKey(position: number): Uint8Array | undefined;
  /** Returns the commitment of an output, 32 bytes; undefined for version 1 and RingCT type 0. */
  commitment(position: number): Uint8Array | undefined;
}

/** Returns the parts of a transaction that was decoded into objects. */
export function partsOf(tx: Transaction): TransactionParts {
  const { version, unlockTime, inputs, outputs, rct, prunable } = tx;
  const [first] = inputs;
  const keyImages = keyImagesOf(tx);
  const rctType = rct?.type ?? 0;
  const proofs = rctType === 6 ? prunable?.bulletproofsPlus : prunable?.bulletproofs;
  return {
    version,
    unlockTime,
    inputCount: inputs.length,
    isCoinbase: inputs.some(({ kind }) => kind === 'gen'),
    firstRing: first?.kind === 'key' ? first.keyOffsets.length : undefined,
    inputAmount: version === 1 ? sumOfInputs(tx) : 0n,
    outputCount: outputs.length,
    rctType,
    rctFee: rct?.fee ?? 0n,
    proofRounds: proofs?.map(({ L }) => L.length) ?? [],
    keyImageCount: keyImages.length,
    keyImage: (position) => itemAt(keyImages, position),
    outputAmount: (position) => itemAt(outputs, position).amount,
    outputKey: (position) => outputKey(itemAt(outputs, position).target),
    commitment: (position) => rct?.outPk[position],
  };
}

function sumOfInputs({ inputs }: Transaction): bigint {
  let sum = 0n;
  for (const input of inputs) if (input.kind === 'key') sum += input.amount;
  return BigInt.asUintN(64, sum);
}

function itemAt<T>(list: readonly T[], position: number): T {
  const item = list[position];
  if (item === undefined) throw new RangeError(`nothing at position ${position}`);
  return item;
}
