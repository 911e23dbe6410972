import { keyImagesOf, outputKey } from './read-transaction.ts';
import type { Transaction, TransactionParts } from './types.ts';

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
