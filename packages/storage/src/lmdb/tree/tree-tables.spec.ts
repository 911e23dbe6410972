import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainStore } from '../../chain-store.ts';
import { compactStore } from '../../care/compact-store.ts';
import { readStoreFacts } from '../../care/store-facts.ts';
import { numberedBlock } from '../../testing/numbered-chain.ts';
import { changeOf } from '../../testing/loose-block.ts';
import type { TreeOutput } from '../../tree-store.ts';
import { StorageError } from '../../storage-error.ts';
import { Environment } from '../files/environment.ts';
import { openRoot } from '../files/lmdb-package.ts';
import { openTableSet } from '../files/table-set.ts';
import { openLmdbStore } from '../open.ts';
import { SCHEMA_VERSION, TREE_SCHEMA_VERSION, versionOp } from '../schema.ts';
import { TREE_TABLE_NAMES, TREE_TABLES } from '../tables/tables.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'tree-'));
});
afterEach(() => rmSync(path, { recursive: true }));

/** Returns the tables of a tree that the files have. */
async function tablesOf(): Promise<string[]> {
  const root = openRoot({ path, readOnly: true, syncMode: 'fast' });
  const found = TREE_TABLE_NAMES.filter((name) =>
    root.openDB({ name, keyEncoding: TREE_TABLES[name], encoding: 'binary' }),
  );
  await root.close();
  return found;
}

const versionOf = async (): Promise<number> => (await readStoreFacts(path)).schemaVersion;

function grow(store: ChainStore): Promise<void> {
  return store.commit({
    *tree(tree) {
      yield;
      yield* tree.pushSteps({
        state: { leaves: 0, outputs: 0, edge: [] },
        leaves: [],
        skipped: [],
        nodes: [],
      });
    },
  });
}

test('a store without a tree has no tables of it, however often it is opened, and keeps its version', async () => {
  for (const height of [0, 1]) {
    const store = await openLmdbStore({ path });
    expect(store.tree.indexes()).toBe(0);
    await store.commit(changeOf({ append: [numberedBlock(height)] }));
    await store.close();
  }
  expect([await tablesOf(), await versionOf()]).toEqual([[], SCHEMA_VERSION]);
});

test('with the first rows of a tree a store gets its tables and a version that older programs refuse', async () => {
  const store = await openLmdbStore({ path });
  await store.commit(changeOf({ append: [numberedBlock(0)] }));
  await grow(store);
  await grow(store);
  expect(store.tree.indexes()).toBe(2);
  await store.close();
  expect([await tablesOf(), await versionOf()]).toEqual([TREE_TABLE_NAMES, TREE_SCHEMA_VERSION]);
  await compactStore(path);
  for (const readOnly of [true, false]) {
    const again = await openLmdbStore({ path, readOnly });
    expect([again.height, again.tree.indexes()]).toEqual([1, 2]);
    const { pageBytes, used, free } = again.pageUse();
    expect((used + free) * pageBytes).toBe(again.sizeOnDisk);
    await again.close();
  }
});

test('a writer that ended while it made the tables leaves a store without a tree, which can get one', async () => {
  await (await openLmdbStore({ path })).close();
  const root = openRoot({ path, readOnly: false, syncMode: 'fast' });
  for (const name of TREE_TABLE_NAMES.slice(0, 3))
    root.openDB({ name, keyEncoding: TREE_TABLES[name], encoding: 'binary' });
  await root.close();
  const store = await openLmdbStore({ path });
  expect(store.tree.indexes()).toBe(0);
  await grow(store);
  expect(store.tree.indexes()).toBe(1);
  await store.close();
  expect(await tablesOf()).toEqual(TREE_TABLE_NAMES);
});

test('a writer that ended between the tables and the first rows leaves a store that gets the version with its rows', async () => {
  await (await openLmdbStore({ path })).close();
  const root = openRoot({ path, readOnly: false, syncMode: 'fast' });
  for (const name of TREE_TABLE_NAMES)
    root.openDB({ name, keyEncoding: TREE_TABLES[name], encoding: 'binary' });
  await root.close();
  expect(await versionOf()).toBe(SCHEMA_VERSION);
  const store = await openLmdbStore({ path });
  await grow(store);
  await store.close();
  expect(await versionOf()).toBe(TREE_SCHEMA_VERSION);
});

test('tables that cannot be made are a failure of the store, after which nothing is written', async () => {
  await (await openLmdbStore({ path })).close();
  const failures: unknown[] = [];
  const options = { path, readOnly: false, syncMode: 'fast' } as const;
  const root = openRoot(options);
  const environment = new Environment(root, openTableSet(root), {
    ...options,
    onFailure: (failure) => failures.push(failure),
  });
  const refuse = () => {
    throw Object.assign(new Error('No space left on device'), { code: 28 });
  };
  const { openDB } = root;
  Object.assign(root, { openDB: refuse });
  expect(() => environment.createTree()).toThrow(StorageError);
  Object.assign(root, { openDB });
  await expect(environment.write([versionOp(TREE_SCHEMA_VERSION)])).rejects.toThrow(StorageError);
  expect(failures).toMatchObject([{ name: 'StorageError' }]);
  await environment.close();
  await root.close();
});

/** Outputs of a block, as many as mainnet's have. */
const OUTPUTS = 46;

test('an output takes at most 100 bytes of the file', async () => {
  const store = await openLmdbStore({ path, syncMode: 'fastest' });
  await grow(store);
  const pagesBefore = store.pageUse().used;
  const bytes = new Uint8Array(32);
  const edge = Array.from({ length: 6 }, () => bytes);
  const blocks = 600;
  for (let block = 0; block < blocks; block += 1) {
    const first = OUTPUTS * block;
    const leaves = Array.from({ length: OUTPUTS }, (_, i): TreeOutput => {
      return { unifiedId: first + i, kind: 'legacy', key: bytes, commitment: bytes };
    });
    const state = { leaves: first + OUTPUTS, outputs: first + OUTPUTS, edge };
    const from = Math.floor(first / 38);
    const count = Math.ceil(state.leaves / 38) - from;
    const nodes = [{ layer: 0, from, nodes: Array.from({ length: count }, () => bytes) }];
    await store.commit({
      *tree(tree) {
        yield;
        yield* tree.pushSteps({ state, leaves, skipped: [], nodes });
      },
    });
  }
  const { used, pageBytes } = store.pageUse();
  const each = ((used - pagesBefore) * pageBytes) / (OUTPUTS * blocks);
  await store.close();
  expect(each).toBeGreaterThan(70);
  expect(each).toBeLessThanOrEqual(100);
});
