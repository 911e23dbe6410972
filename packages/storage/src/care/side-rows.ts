import { decodeAltBlock } from '../lmdb/tables/alt-row.ts';
import type { Environment } from '../lmdb/files/environment.ts';
import { keyAfter } from '../lmdb/tables/keys.ts';
import { decodePoolMeta } from '../lmdb/tables/pool-row.ts';
import type { AltBlock } from '../records.ts';
import { StorageError } from '../storage-error.ts';
import { findingOf, type Finding } from './finding.ts';

/** A row beside the main chain, or what is wrong with it. */
export type SideRow =
  | { readonly finding: Finding }
  | { readonly alt: AltBlock }
  | { readonly poolId: Uint8Array; readonly blob: Uint8Array };

/** Returns the alternative blocks and the pool transactions, one after another. */
export function* sideRows(environment: Environment): Generator<SideRow> {
  for (const id of keysOf(environment, 'alt_block')) {
    const row = environment.get('alt_block', id);
    if (row === undefined) continue;
    yield attempt('alt_block', id, () => ({ alt: decodeAltBlock(id, row) }));
  }
  for (const id of keysOf(environment, 'pool_meta')) {
    const row = environment.get('pool_meta', id);
    const blob = environment.get('pool_tx', id);
    if (row === undefined) continue;
    if (blob === undefined) {
      yield { finding: findingOf('pool_tx', id, undefined, 'is missing') };
      continue;
    }
    yield attempt('pool_meta', id, () => {
      decodePoolMeta(row);
      return { poolId: id, blob };
    });
  }
}

function* keysOf(
  environment: Environment,
  table: 'alt_block' | 'pool_meta',
): Generator<Uint8Array> {
  let [key] = environment.keys(table, 1);
  while (key instanceof Uint8Array) {
    yield key;
    [key] = environment.keys(table, 1, keyAfter(key));
  }
}

function attempt(table: 'alt_block' | 'pool_meta', id: Uint8Array, read: () => SideRow): SideRow {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { finding: findingOf(table, id, undefined, 'makes no sense') };
  }
}
