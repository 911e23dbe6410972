import { chainHeight } from '../lmdb/files/chain-height.ts';
import type { Environment } from '../lmdb/files/environment.ts';
import type { PageUse } from '../page-use.ts';
import { decodeMeta } from '../lmdb/tables/meta-row.ts';
import { openForReading } from '../lmdb/files/open-for-reading.ts';
import { lockExisting } from '../lmdb/files/process-lock.ts';
import { prepareSchema, readVersion, SCHEMA_VERSION } from '../lmdb/schema.ts';
import type { BlockMeta } from '../records.ts';
import { countRecent, countWaiting, readWritten } from './check-counts.ts';

/** Figures of a store. */
export interface StoreFacts {
  readonly height: number;
  /** Record of the newest block; undefined when there is none. */
  readonly top: BlockMeta | undefined;
  readonly outputs: number;
  readonly keyImages: number;
  /** 384 to 391; 0 when the chain is not pruned. */
  readonly pruningSeed: number;
  readonly alternativeBlocks: number;
  readonly poolTransactions: number;
  readonly schemaVersion: number;
  /** Bytes of the data file. */
  readonly fileSize: number;
  readonly pages: PageUse;
}

/** Locks the store in a folder and reads its figures. Throws StorageError. */
export async function readStoreFacts(path: string): Promise<StoreFacts> {
  const lock = await lockExisting(path);
  try {
    const environment = openForReading(path);
    try {
      await prepareSchema(environment);
      return await factsOf(environment);
    } finally {
      await environment.close();
    }
  } finally {
    lock.release();
  }
}

async function factsOf(environment: Environment): Promise<StoreFacts> {
  const height = chainHeight(environment);
  const row = height > 0 ? environment.get('block_meta', height - 1) : undefined;
  const seed = environment.get('property', new TextEncoder().encode('pruning_seed'));
  const waiting = await countWaiting(environment, height, readWritten(environment));
  const recent = await countRecent(environment, 'key_image');
  return {
    height,
    top: row && decodeMeta(height - 1, row),
    outputs: environment.rowCount('rct_output') + environment.rowCount('amount_output'),
    keyImages: environment.rowCount('key_image') + recent + waiting.key_image,
    pruningSeed: seed?.length === 4 ? Buffer.from(seed).readUInt32LE() : 0,
    alternativeBlocks: environment.rowCount('alt_block'),
    poolTransactions: environment.rowCount('pool_tx'),
    schemaVersion: readVersion(environment) ?? SCHEMA_VERSION,
    fileSize: environment.sizeOnDisk,
    pages: environment.pageUse(),
  };
}
