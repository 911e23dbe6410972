import { outputKey, type ParsedTransaction, type TxInput } from '@monero-node/codec';
import { feeOf, transactionWeight } from '@monero-node/consensus';
import type { EventInput, EventTransaction } from '@monero-node/events';

/** Returns the absolute indexes of offsets as they are on the wire: the first is absolute, the rest are differences. */
function ringOf(offsets: readonly bigint[]): number[] {
  let index = 0n;
  return offsets.map((offset) => Number((index += offset)));
}

function eventInput(input: TxInput): EventInput[] {
  if (input.kind !== 'key') return [];
  return [{ amount: input.amount, key_image: input.keyImage, ring: ringOf(input.keyOffsets) }];
}

/**
 * Returns what the stream says about a transaction.
 *
 * `indexes`: global indexes of its outputs; absent for a transaction of the pool.
 */
export function eventTransaction(
  parsed: ParsedTransaction,
  indexes?: readonly bigint[],
): EventTransaction {
  const { tx } = parsed;
  return {
    id: parsed.id,
    version: tx.version,
    fee: feeOf(parsed),
    extra: tx.extra,
    weight: transactionWeight(parsed),
    unlock_time: tx.unlockTime,
    inputs: tx.inputs.flatMap(eventInput),
    outputs: tx.outputs.map(({ amount, target }, i) => ({
      amount,
      public_key: outputKey(target) ?? new Uint8Array(32),
      global_index: indexes === undefined ? undefined : Number(indexes[i]),
      view_tag: target.kind === 'tagged-key' ? target.viewTag : undefined,
    })),
  };
}
