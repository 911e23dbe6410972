import type { HandlerOf } from '../method.ts';
import {
  parsePrunedTransaction,
  parseTransaction,
  toHex,
  transactionToJson,
} from '@monero-node/codec';
import type { TransactionAnswer } from '@monero-node/rpc-schema';
import { tryHex } from '../encoding/hex.ts';
import { findTransaction, type FoundTransaction } from '../transactions/find-transaction.ts';
import type { RpcContext } from '../context.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_TRANSACTIONS } from '../limits.ts';

interface Shape {
  readonly split: boolean;
  readonly prune: boolean;
  readonly decode_as_json: boolean;
}

/** Bytes of entries that are kept for the other lists they are in. Those beyond are read again for each list. */
const HELD_BYTES = 4 * 1024 * 1024;
/** Memory of an id, as it was sent and as bytes. */
const BYTES_PER_ID = 300;
/** Longest answer, bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024 * 1024;
/** Bytes of an answer for each byte of a transaction, at most: hex in two lists; with JSON that in two lists too. */
const ANSWER_BYTES_PER_BYTE = { hex: 4, json: 16 };

/**
 * Returns transactions of the chain and the pool by id, and the ids it did not find. Throws RpcStatus for text that is
 * not a 32-byte id in hex, for too many ids on a restricted listener, and when the answer could exceed 1 GiB.
 */
export const getTransactions: HandlerOf<'getTransactions'> = async (request, context) => {
  const { txs_hashes: hashes } = request;
  if (context.restricted && hashes.length > MAX_RESTRICTED_TRANSACTIONS) {
    throw new RpcStatus('Too many transactions requested in restricted mode');
  }
  const ids: Uint8Array[] = [];
  for (const hash of hashes) {
    const pause = context.yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    ids.push(transactionId(hash));
  }
  const found = new FoundEntries(context, request);
  const missed: Uint8Array[] = [];
  for (const [i, id] of ids.entries()) {
    const pause = context.yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    if (!found.add(id, hashes[i] ?? toHex(id))) missed.push(id);
  }
  context.holds(hashes.length * BYTES_PER_ID + found.keptBytes);
  return {
    missed_tx: missed,
    txs: found.entries((entry) => entry),
    // Kept for clients older than `txs`.
    txs_as_hex: found.entries((entry) => entry.as_hex),
    txs_as_json: request.decode_as_json ? found.entries((entry) => entry.as_json) : [],
  };
};

/** The entries of an answer, which are made while it is sent, but for the first few, which are kept. */
class FoundEntries {
  readonly #context: RpcContext;
  readonly #shape: Shape;
  readonly #ids: { readonly id: Uint8Array; readonly hash: string }[] = [];
  readonly #kept: TransactionAnswer[] = [];
  #bytes = 0;
  #keptBytes = 0;

  constructor(context: RpcContext, shape: Shape) {
    this.#context = context;
    this.#shape = shape;
  }

  /** `hash` is the id as the client wrote it. Returns whether the transaction is known. Throws RpcStatus when the answer could become too long. */
  add(id: Uint8Array, hash: string): boolean {
    const found = findTransaction(this.#context, id);
    if (found === undefined) return false;
    const perByte = ANSWER_BYTES_PER_BYTE[this.#shape.decode_as_json ? 'json' : 'hex'];
    this.#bytes += (found.pruned.length + found.prunable.length) * perByte;
    if (this.#bytes > MAX_ANSWER_BYTES) throw new RpcStatus('Too many transactions requested');
    this.#ids.push({ id, hash });
    if (this.#bytes <= HELD_BYTES) {
      this.#kept.push(this.#entry(found, id, hash));
      this.#keptBytes = this.#bytes;
    }
    return true;
  }

  /** Memory of the entries that are kept, at most. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Returns a part of each entry. A short list is ready; the items of a long one are made one by one. */
  entries<T>(part: (entry: TransactionAnswer) => T): readonly T[] | AsyncIterable<T> {
    return this.#kept.length === this.#ids.length ? this.#kept.map(part) : this.#made(part);
  }

  async *#made<T>(part: (entry: TransactionAnswer) => T): AsyncGenerator<T> {
    for (const [i, { id, hash }] of this.#ids.entries()) {
      await this.#context.yielder.yieldIfDue();
      yield part(this.#kept[i] ?? this.#readAgain(id, hash));
    }
  }

  #readAgain(id: Uint8Array, hash: string): TransactionAnswer {
    const found = findTransaction(this.#context, id);
    if (found === undefined) throw new Error(`${toHex(id)} was removed while it was sent`);
    return this.#entry(found, id, hash);
  }

  #entry(found: FoundTransaction, id: Uint8Array, hash: string): TransactionAnswer {
    const { restricted, transactionTexts } = this.#context;
    const { decode_as_json: decoded, prune } = this.#shape;
    const entry = { ...entryOf(found, this.#shape, restricted), tx_hash: hash };
    if (!decoded) return entry;
    const pruned = prune || found.prunable.length === 0;
    const text = transactionTexts.get(id, pruned, () => asJson(found, pruned));
    return { ...entry, as_json: text };
  }
}

function transactionId(text: string): Uint8Array {
  const bytes = tryHex(text);
  if (bytes === undefined) {
    throw new RpcStatus('Failed to parse hex representation of transaction hash');
  }
  if (bytes.length !== 32) throw new RpcStatus('Failed, size of data mismatch');
  return bytes;
}

/** The time of receipt would reveal the origin of a transaction: restricted listeners return 0. */
function entryOf(
  found: FoundTransaction,
  shape: Shape,
  restricted: boolean,
): Omit<TransactionAnswer, 'tx_hash'> {
  const { pruned, prunable, prunableHash } = found;
  // A transaction without a prunable part, such as a coinbase, is always sent split, as 0.18 does.
  const split = shape.split || shape.prune || prunable.length === 0;
  const place = found.inPool
    ? { received_timestamp: restricted ? 0 : found.receiveTime, relayed: found.relayed }
    : {
        block_height: found.height,
        block_timestamp: found.blockTimestamp,
        confirmations: found.confirmations,
        output_indices: found.outputIndices,
      };
  return {
    as_hex: split ? NOTHING : Buffer.concat([pruned, prunable]),
    as_json: '',
    double_spend_seen: found.inPool && found.doubleSpendSeen,
    in_pool: found.inPool,
    prunable_as_hex: split && !shape.prune ? prunable : NOTHING,
    prunable_hash: prunableHash,
    pruned_as_hex: split ? pruned : NOTHING,
    ...place,
  };
}

function asJson({ pruned, prunable, prunableHash }: FoundTransaction, isPruned: boolean): string {
  return isPruned
    ? transactionToJson(parsePrunedTransaction(pruned, prunableHash), { pruned: true })
    : transactionToJson(parseTransaction(Buffer.concat([pruned, prunable])));
}

const NOTHING = new Uint8Array(0);
