import type { ParsedTransaction } from '@monero-node/codec';
import { absoluteOffsets } from '@monero-node/consensus';
import type { Lookups } from '@monero-node/storage';

/** Most inputs and ring members that are read ahead at once, so that nobody's transactions make this a long task. */
const MOST = 20_000;
const GREATEST_INDEX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns what the checks of transactions look up in the store, up to 20,000 inputs and ring members.
 *
 * @param withRings whether ring members are looked up too, as for signatures
 */
export function lookupsOf(txs: readonly ParsedTransaction[], withRings: boolean): Lookups {
  const keyImages: Uint8Array[] = [];
  const outputs = new Map<bigint, number[]>();
  let left = MOST;
  for (const { tx } of txs) {
    for (const input of tx.inputs) {
      if (input.kind !== 'key') continue;
      const { amount, keyImage, keyOffsets } = input;
      left -= 1 + (withRings ? keyOffsets.length : 0);
      if (left < 0) return { txIds: idsOf(txs), keyImages, outputs };
      keyImages.push(keyImage);
      if (!withRings) continue;
      const indices = outputs.get(amount) ?? [];
      outputs.set(amount, indices);
      for (const index of absoluteOffsets(keyOffsets))
        if (index <= GREATEST_INDEX) indices.push(Number(index));
    }
  }
  return { txIds: idsOf(txs), keyImages, outputs };
}

const idsOf = (txs: readonly ParsedTransaction[]): Uint8Array[] => txs.map(({ id }) => id);
