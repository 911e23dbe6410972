import {
  bytesEqual,
  DecodeError,
  keyImagesOf,
  parseTransaction,
  type ParsedTransaction,
} from '@monero-node/codec';
import { Yielder } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import type { PoolStore, PoolTx } from '@monero-node/storage';
import { PoolEntry } from './pool-entry.ts';
import { RELAY_METHODS } from './relay-method.ts';

/** The pool as it was stored. */
export interface StoredPool {
  readonly entries: PoolEntry[];
  /** Ids of transactions that cannot return to the pool, 32 bytes each. */
  readonly useless: Uint8Array[];
}

/**
 * Reads the stored pool. Transactions that are in the chain by now, or do not decode, are useless; all
 * others remain to be checked. Those from blocks come last, so that they yield to others that spend the
 * same.
 */
export async function loadPool(store: PoolStore, chain: Blockchain): Promise<StoredPool> {
  const entries: PoolEntry[] = [];
  const useless: Uint8Array[] = [];
  const yielder = new Yielder();
  const load = (id: Uint8Array) => store.poolBlob(id);
  for (const { id, meta } of await ownFirst(store.poolTxs(), yielder)) {
    await yielder.yieldIfDue();
    const parsed = parse(store.poolBlob(id));
    const isKnown = chain.store.txLocation(id) !== undefined;
    if (parsed === undefined || !bytesEqual(parsed.id, id) || isKnown) {
      useless.push(id);
      continue;
    }
    const entry = new PoolEntry({ id, keyImages: keyImagesOf(parsed.tx), meta, load });
    if (meta.verified !== undefined) chain.transactionVerifier.remember(entry.key, meta.verified);
    entries.push(entry);
  }
  return { entries, useless };
}

async function ownFirst(txs: Iterable<PoolTx>, yielder: Yielder): Promise<PoolTx[]> {
  const fromBlock = RELAY_METHODS.indexOf('block');
  const own: PoolTx[] = [];
  const kept: PoolTx[] = [];
  for (const tx of txs) {
    await yielder.yieldIfDue();
    (tx.meta.relayMethod === fromBlock ? kept : own).push(tx);
  }
  return [...own, ...kept];
}

function parse(blob: Uint8Array | undefined): ParsedTransaction | undefined {
  try {
    return blob && parseTransaction(blob);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
