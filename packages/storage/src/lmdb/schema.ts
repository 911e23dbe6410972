import { StorageError } from '../storage-error.ts';
import { chainHeight } from './files/chain-height.ts';
import type { Environment } from './files/environment.ts';
import { damaged } from './errors.ts';
import { uint32Value } from './tables/keys.ts';
import { RowReader } from './tables/rows.ts';
import type { WriteOp } from './tables/tables.ts';
import { SLICES } from './hashes/waiting-hashes.ts';

/** The layout this code reads and writes. Raise it with every change of the tables or their rows. */
export const SCHEMA_VERSION = 4;

/**
 * The same layout with the tables of a curve tree. A store gets it when the first rows of a tree are written: older programs would not keep the
 * tree, and so must not write to the store.
 */
export const TREE_SCHEMA_VERSION = 5;

/**
 * Takes a store from version `from` to `from + 1`. `run` returns the rows to write. They are committed together
 * with the new version, so a migration that is killed half-way starts again.
 */
export interface Migration {
  from: number;
  run(environment: Environment): Promise<WriteOp[]>;
}

const MIGRATIONS: readonly Migration[] = [
  // Version 2: prunable parts may be dropped. Older programs would take those for empty.
  { from: 1, run: () => Promise.resolve([]) },
  // Version 3: the hash tables may lag behind, and older programs would miss the waiting hashes.
  // In a store of version 2 every slice is complete.
  { from: 2, run: (environment) => Promise.resolve(allWritten(chainHeight(environment))) },
  // Version 4: written hashes may be in the recent tables, which older programs do not know.
  { from: 3, run: () => Promise.resolve([]) },
];

/** Returns rows that mark every slice of the hash tables as complete up to the height. */
function allWritten(height: number): WriteOp[] {
  return Array.from({ length: SLICES }, (_, slice) => ({
    table: 'hash_slice',
    key: slice,
    value: uint32Value(height),
  }));
}

const VERSION_KEY = new TextEncoder().encode('version');

/**
 * Brings the store to the current layout: marks a new one, migrates an older one.
 *
 * Throws StorageError `schema-newer`, `damaged`, or `read-only` when an older store is open for reading only.
 */
export async function prepareSchema(
  environment: Environment,
  target = SCHEMA_VERSION,
  migrations = MIGRATIONS,
): Promise<void> {
  let version = readVersion(environment);
  if (version === undefined) {
    if (environment.lastKey('block_meta') !== undefined)
      throw damaged('it has blocks but no schema version');
    await environment.write([versionOp(target)]);
    return;
  }
  if (version > Math.max(target, TREE_SCHEMA_VERSION)) {
    throw new StorageError(
      'schema-newer',
      `the store has schema version ${version}, this program knows up to ${Math.max(target, TREE_SCHEMA_VERSION)}: use the newer program that wrote it, or put a backup from before the upgrade in its place`,
    );
  }
  if (version < target && environment.readOnly) {
    throw new StorageError(
      'read-only',
      `the store has schema version ${version}, and this program reads version ${target}: start the node once, which brings it up to date`,
    );
  }
  while (version < target) {
    const migration = migrations.find(({ from }) => from === version);
    if (migration === undefined) throw damaged(`there is no way on from schema version ${version}`);
    const ops = await migration.run(environment);
    version += 1;
    await environment.write([...ops, versionOp(version)]);
  }
}

/** Returns the row that stores the schema version. */
export function versionOp(version: number): WriteOp {
  return { table: 'schema', key: VERSION_KEY, value: uint32Value(version) };
}

/** Returns the version of the layout; undefined in a new store. Throws StorageError `damaged`. */
export function readVersion(environment: Environment): number | undefined {
  const value = environment.get('schema', VERSION_KEY);
  if (value === undefined) return undefined;
  const row = new RowReader('schema', value);
  const version = row.u32();
  row.end();
  return version;
}
