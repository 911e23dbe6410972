import { keyImagesOf, type ParsedTransaction } from '@monero-node/codec';
import { absoluteOffsets } from '@monero-node/consensus';
import type { Lookups } from '@monero-node/storage';

const GREATEST_INDEX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns what the checks of transactions look up in the store.
 *
 * @param withRings whether ring members are looked up too, as for signatures
 */
export function lookupsOf(txs: readonly ParsedTransaction[], withRings: boolean): Lookups {
  const outputs = new Map<bigint, number[]>();
  for (const { tx } of withRings ? txs : []) {
    for (const input of tx.inputs) {
      if (input.kind !== 'key') continue;
      const indices = outputs.get(input.amount) ?? [];
      outputs.set(input.amount, indices);
      for (const index of absoluteOffsets(input.keyOffsets))
        if (index <= GREATEST_INDEX) indices.push(Number(index));
    }
  }
  return {
    txIds: txs.map(({ id }) => id),
    keyImages: txs.flatMap(({ tx }) => keyImagesOf(tx)),
    outputs,
  };
}
