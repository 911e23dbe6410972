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
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_TRANSACTIONS } from '../limits.ts';

interface Shape {
  readonly split: boolean;
  readonly prune: boolean;
  readonly decode_as_json: boolean;
}

/**
 * Returns transactions of the chain and the pool by id, and the ids it did not find. Throws RpcStatus for text that is
 * not a 32-byte id in hex, and for too many ids on a restricted listener.
 */
export const getTransactions: HandlerOf<'getTransactions'> = async (request, context) => {
  const { txs_hashes: hashes } = request;
  if (context.restricted && hashes.length > MAX_RESTRICTED_TRANSACTIONS) {
    throw new RpcStatus('Too many transactions requested in restricted mode');
  }
  const ids = hashes.map(transactionId);
  const entries: TransactionAnswer[] = [];
  const missed: Uint8Array[] = [];
  for (const [i, id] of ids.entries()) {
    await context.yielder.yieldIfDue();
    const found = findTransaction(context, id);
    if (found === undefined) missed.push(id);
    else {
      const entry = entryOf(found, request, context.restricted);
      entries.push({ ...entry, tx_hash: hashes[i] ?? toHex(id) });
    }
  }
  return {
    missed_tx: missed,
    txs: entries,
    // Kept for clients older than `txs`.
    txs_as_hex: entries.map((entry) => entry.as_hex),
    txs_as_json: request.decode_as_json ? entries.map((entry) => entry.as_json) : [],
  };
};

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
  const full = Buffer.concat([pruned, prunable]);
  const place = found.inPool
    ? { received_timestamp: restricted ? 0 : found.receiveTime, relayed: found.relayed }
    : {
        block_height: found.height,
        block_timestamp: found.blockTimestamp,
        confirmations: found.confirmations,
        output_indices: found.outputIndices,
      };
  return {
    as_hex: split ? NOTHING : full,
    as_json: shape.decode_as_json ? asJson(found, full, shape.prune || !prunable.length) : '',
    double_spend_seen: found.inPool && found.doubleSpendSeen,
    in_pool: found.inPool,
    prunable_as_hex: split && !shape.prune ? prunable : NOTHING,
    prunable_hash: prunableHash,
    pruned_as_hex: split ? pruned : NOTHING,
    ...place,
  };
}

function asJson(found: FoundTransaction, full: Uint8Array, prune: boolean): string {
  return prune
    ? transactionToJson(parsePrunedTransaction(found.pruned, found.prunableHash), { pruned: true })
    : transactionToJson(parseTransaction(full));
}

const NOTHING = new Uint8Array(0);
