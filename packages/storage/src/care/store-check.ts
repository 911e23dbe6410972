import { prepareSchema } from '../lmdb/schema.ts';
import { chainHeight } from '../lmdb/files/chain-height.ts';
import type { Environment } from '../lmdb/files/environment.ts';
import { openForReading } from '../lmdb/files/open-for-reading.ts';
import { decodeMeta } from '../lmdb/tables/meta-row.ts';
import { lockExisting, type ProcessLock } from '../lmdb/files/process-lock.ts';
import { unpackPrunable } from '../lmdb/tables/prunable-pack.ts';
import { TREE_TABLE_NAMES, type TreeTableName } from '../lmdb/tables/tables.ts';
import { PackedTxs } from '../lmdb/tables/tx-pack.ts';
import { StoredTree } from '../lmdb/tree/stored-tree.ts';
import type { BlockMeta, BlockRecord, StoredTx } from '../records.ts';
import { StorageError } from '../storage-error.ts';
import type { TreeReader } from '../tree-store.ts';
import { compareBlock } from './compare-block.ts';
import { checkCounts, readWritten } from './check-counts.ts';
import { findingOf, wholeTable, type Finding } from './finding.ts';
import type { RowTotals } from './row-totals.ts';
import { sideRows, type SideRow } from './side-rows.ts';

/** The rows of a block, decoded. */
export interface BlockContent {
  readonly blob: Uint8Array;
  readonly meta: BlockMeta;
  readonly txs: readonly StoredTx[];
}

const HEIGHT_TABLES = ['block', 'block_meta', 'txs', 'prunable'] as const;

/** Compares the rows of a store at rest with what they must be. It writes nothing, and reads by look-ups only. */
export class StoreCheck {
  readonly height: number;
  /** The curve tree. */
  readonly tree: TreeReader;
  readonly #environment: Environment;
  readonly #lock: ProcessLock;
  /** Per slice: height below which the hashes must be in their tables. */
  readonly #written: readonly number[];

  private constructor(environment: Environment, lock: ProcessLock) {
    this.#environment = environment;
    this.#lock = lock;
    this.height = chainHeight(environment);
    this.tree = new StoredTree((table, key) => environment.get(table, key));
    this.#written = readWritten(environment);
  }

  /** Locks the store in a folder and opens it. Throws StorageError. */
  static async open(path: string): Promise<StoreCheck> {
    const lock = await lockExisting(path);
    try {
      const environment = openForReading(path);
      try {
        await prepareSchema(environment);
        return new StoreCheck(environment, lock);
      } catch (error) {
        await environment.close();
        throw error;
      }
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Returns the stored record of a block; undefined when it is missing. Throws StorageError `damaged`. */
  meta(height: number): BlockMeta | undefined {
    const row = this.#environment.get('block_meta', height);
    return row && decodeMeta(height, row);
  }

  /** Returns the bytes of a block; undefined when they are missing. Throws StorageError. */
  blob(height: number): Uint8Array | undefined {
    return this.#environment.get('block', height);
  }

  /** Returns the named value that `ChainWriter.setProperty` stored. */
  property(name: string): Uint8Array | undefined {
    return this.#environment.get('property', new TextEncoder().encode(name));
  }

  /** Returns the height of a main-chain block by its 32-byte id. */
  heightOf(id: Uint8Array): number | undefined {
    const row = this.#environment.get('block_id', id);
    return row?.length === 4 ? Buffer.from(row).readUInt32LE() : undefined;
  }

  /** Reads the rows of a block. Returns findings instead when some are missing or cannot be decoded. */
  read(height: number): { readonly content?: BlockContent; readonly findings: Finding[] } {
    const findings: Finding[] = [];
    const rows = HEIGHT_TABLES.map((table) => this.#row(table, height, findings));
    const [blob, metaRow, txsRow, prunableRow] = rows;
    if (!blob || !metaRow || !txsRow || !prunableRow) return { findings };
    const decode = <T>(table: (typeof HEIGHT_TABLES)[number], decoder: () => T) =>
      tryDecode(decoder, () => findings.push(findingOf(table, height, height, UNREADABLE)));
    const meta = decode('block_meta', () => decodeMeta(height, metaRow));
    const packed = decode('txs', () => basesOf(new PackedTxs(txsRow)));
    const parts = decode('prunable', () =>
      packed?.map((_, position) => unpackPrunable(prunableRow, position)),
    );
    if (!meta || !packed || !parts) return { findings };
    const txs = packed.map((base, position) => ({ ...base, ...(parts[position] ?? NO_PART) }));
    return { content: { blob, meta, txs }, findings };
  }

  /** Compares all rows of a block with those that its record must have, and adds to the totals. */
  compare(record: BlockRecord, totals: RowTotals): Finding[] {
    return compareBlock(this.#environment, record, { written: this.#written, totals });
  }

  /** Compares the numbers of rows of whole tables, after all blocks. */
  checkCounts(totals: RowTotals): Promise<Finding[]> {
    const environment = this.#environment;
    return checkCounts(environment, { height: this.height, written: this.#written, totals });
  }

  /** Compares the numbers of rows of the curve tree's tables. */
  checkTreeCounts(wanted: Readonly<Record<TreeTableName, number>>): Finding[] {
    return TREE_TABLE_NAMES.flatMap((table) => {
      const found = this.#environment.rowCount(table);
      return found === wanted[table]
        ? []
        : [wholeTable(table, `has ${found} rows instead of ${wanted[table]}`)];
    });
  }

  /** Returns the alternative blocks and pool transactions, one after another. */
  sideRows(): Iterable<SideRow> {
    return sideRows(this.#environment);
  }

  async close(): Promise<void> {
    await this.#environment.close();
    this.#lock.release();
  }

  #row(
    table: (typeof HEIGHT_TABLES)[number],
    height: number,
    findings: Finding[],
  ): Uint8Array | undefined {
    try {
      const row = this.#environment.get(table, height);
      if (row === undefined) findings.push(findingOf(table, height, height, 'is missing'));
      return row;
    } catch (error) {
      findings.push(
        findingOf(table, height, height, `cannot be read: ${(error as Error).message}`),
      );
      return undefined;
    }
  }
}

const UNREADABLE = 'makes no sense';
const NO_PART = { prunable: new Uint8Array(), prunableHash: new Uint8Array(32) };

function basesOf(packed: PackedTxs): { id: Uint8Array; pruned: Uint8Array }[] {
  packed.keyImages();
  packed.allRuns();
  return Array.from({ length: packed.txCount }, (_, position) => ({
    id: packed.id(position),
    pruned: packed.pruned(position),
  }));
}

function tryDecode<T>(decode: () => T, onDamage: () => void): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    onDamage();
    return undefined;
  }
}
