import { keyImagesOf, outputKey } from './read-transaction.ts';
import type { CopiedPart, Transaction, TransactionParts } from './types.ts';

/** Returns the parts of a transaction that was decoded into objects. */
export function partsOf(tx: Transaction): TransactionParts {
  const { version, unlockTime, inputs, outputs, rct, prunable } = tx;
  const [first] = inputs;
  const keyImages = keyImagesOf(tx);
  const rings = inputs.flatMap((input) => (input.kind === 'key' ? [input.keyOffsets] : []));
  const rctType = rct?.type ?? 0;
  const proofs = rctType >= 6 ? prunable?.bulletproofsPlus : prunable?.bulletproofs;
  const of = {
    keyImage: (position: number) => itemAt(keyImages, position),
    outputKey: (position: number) => outputKey(itemAt(outputs, position).target),
    commitment: (position: number) => rct?.outPk[position],
  };
  return {
    version,
    unlockTime,
    inputCount: inputs.length,
    isCoinbase: inputs.some(({ kind }) => kind === 'gen'),
    firstRing: first?.kind === 'key' ? first.keyOffsets.length : undefined,
    inputAmount: version === 1 ? sumOfInputs(tx) : 0n,
    outputCount: outputs.length,
    extraSize: tx.extra.length,
    rctType,
    rctFee: rct?.fee ?? 0n,
    proofRounds: proofs?.map(({ L }) => L.length) ?? [],
    keyImageCount: keyImages.length,
    keyImage: of.keyImage,
    ringSize: (position) => itemAt(rings, position).length,
    outputAmount: (position) => itemAt(outputs, position).amount,
    outputKey: of.outputKey,
    commitment: of.commitment,
    copy: (what, position, target, at) => {
      target.set(present(of[what](position), what), at);
    },
  };
}

function sumOfInputs({ inputs }: Transaction): bigint {
  let sum = 0n;
  for (const input of inputs) if (input.kind === 'key') sum += input.amount;
  return BigInt.asUintN(64, sum);
}

function present(bytes: Uint8Array | undefined, what: CopiedPart): Uint8Array {
  if (bytes === undefined) throw new RangeError(`there is no ${what}`);
  return bytes;
}

function itemAt<T>(list: readonly T[], position: number): T {
  const item = list[position];
  if (item === undefined) throw new RangeError(`nothing at position ${position}`);
  return item;
}
