import {
  concatBytes,
  outputKey,
  parsePrunedTransaction,
  parseTransaction,
  type ParsedTransaction,
  type TxInput,
  type TxOutput,
} from '@monero-node/codec';
import { ConsensusError, feeOf, transactionWeight } from '@monero-node/consensus';
import type { StoredTx } from '@monero-node/storage';
import type { EventInput, EventOutput, EventTransaction } from '../messages/transaction-table.ts';

/** Returns the facts of a transaction of the chain. Throws StorageError or DecodeError when the store is damaged. */
export function minedFacts(stored: StoredTx, outputIndices: readonly number[]): EventTransaction {
  const parsed = stored.dropped
    ? parsePrunedTransaction(stored.pruned, stored.prunableHash)
    : parseTransaction(concatBytes(stored.pruned, stored.prunable));
  return facts(parsed, { id: stored.id, weight: weightOf(parsed), outputIndices });
}

/** Returns the facts of a transaction of the pool, by its full blob. Throws DecodeError. */
export function waitingFacts({
  id,
  blob,
  weight,
}: {
  readonly id: Uint8Array;
  readonly blob: Uint8Array;
  readonly weight: number;
}): EventTransaction {
  return facts(parseTransaction(blob), { id, weight });
}

/** Returns the facts of a miner transaction, whose id has 32 bytes. */
export function minerFacts(
  parsed: ParsedTransaction,
  id: Uint8Array,
  outputIndices: readonly number[],
): EventTransaction {
  return facts(parsed, { id, weight: parsed.blob.length, outputIndices });
}

function facts(
  parsed: ParsedTransaction,
  known: {
    readonly id: Uint8Array;
    readonly weight: number;
    readonly outputIndices?: readonly number[];
  },
): EventTransaction {
  const { tx } = parsed;
  const inputs = tx.inputs.flatMap(inputFacts);
  return {
    id: known.id,
    version: tx.version,
    fee: inputs.length === 0 ? 0n : feeOf(parsed),
    weight: known.weight,
    unlock_time: tx.unlockTime,
    extra: tx.extra,
    inputs,
    outputs: tx.outputs.map((output, i) => outputFacts(output, known.outputIndices?.[i])),
  };
}

/** Only `key` inputs are in transactions that are no miner transactions. */
function inputFacts(input: TxInput): EventInput[] {
  if (input.kind !== 'key') return [];
  let index = 0;
  const ring = input.keyOffsets.map((offset) => (index += Number(offset)));
  return [{ amount: input.amount, key_image: input.keyImage, ring }];
}

function outputFacts({ amount, target }: TxOutput, index: number | undefined): EventOutput {
  return {
    amount,
    public_key: outputKey(target) ?? new Uint8Array(32),
    global_index: index,
    view_tag: target.kind === 'tagged-key' ? target.viewTag : undefined,
  };
}

function weightOf(parsed: ParsedTransaction): number {
  try {
    return transactionWeight(parsed);
  } catch (error) {
    if (error instanceof ConsensusError) return 0;
    throw error;
  }
}
