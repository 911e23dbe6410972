import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { StorageErrorCode } from '../storage-error.ts';
import { dumpStore } from '../testing/dump.ts';
import { hashRows } from '../testing/hash-rows.ts';
import { Random, RandomChain } from '../testing/random-chain.ts';
import { dumpEnvironment, rawDump } from '../testing/raw-dump.ts';
import { readerTurn } from '../testing/reader-turn.ts';
import { inspectDataFile } from './files/data-file.ts';
import { openEnvironment } from './files/environment.ts';
import { openLmdbStore } from './open.ts';
import { prepareSchema, SCHEMA_VERSION, TREE_SCHEMA_VERSION, versionOp } from './schema.ts';
import { changeOf } from '../testing/loose-block.ts';

let path: string;
let dataFile: string;

beforeEach(() => {
  // With a dot and a blank, as people name directories.
  path = join(mkdtempSync(join(tmpdir(), 'storage-open-')), 'data dir.v1');
  dataFile = join(path, 'data.mdb');
});

afterEach(() => {
  rmSync(join(path, '..'), { recursive: true });
});

const failing = (code: StorageErrorCode, message: RegExp = /./) =>
  expect.objectContaining({ name: 'StorageError', code, message: expect.stringMatching(message) });

/** A store of 30 blocks, closed again; returns what it showed. */
async function makeStore(): Promise<string> {
  const store = await openLmdbStore({ path });
  const chain = new RandomChain('open', { txs: 6, v1Share: 0.3, prunableSize: 1500 });
  for (let i = 0; i < 3; i += 1) await store.commit(changeOf({ append: chain.blocks(i * 10, 10) }));
  await store.setProperty('color', Uint8Array.of(7));
  const dump = dumpStore(store, { properties: ['color'] });
  await store.close();
  return dump;
}

const lineCount = (text: string): number => text.split('\n').length;

describe('reopening', () => {
  test.each(['safe', 'fast', 'fastest'] as const)(
    '%s: shows what was committed',
    async (syncMode) => {
      const dump = await makeStore();
      const store = await openLmdbStore({ path, syncMode });
      expect(dumpStore(store, { properties: ['color'] })).toEqual(dump);
      await store.commit({ popTo: 20 });
      await store.sync();
      expect(store.sizeOnDisk).toBe(statSync(dataFile).size);
      const { pageBytes, used, free, mapBytes } = store.pageUse();
      expect((used + free) * pageBytes).toBe(store.sizeOnDisk);
      // The removed blocks have left free pages.
      expect([used > 0, free > 0, mapBytes >= store.sizeOnDisk]).toEqual([true, true, true]);
      await store.close();
    },
  );
});

describe('the schema version', () => {
  const environment = () => openEnvironment({ path, syncMode: 'fast', readOnly: false });

  test('of a newer program is refused, and nothing is changed', async () => {
    await makeStore();
    const newer = environment();
    await newer.write([versionOp(TREE_SCHEMA_VERSION + 1)]);
    await newer.close();
    const before = rawDump(path);
    await expect(openLmdbStore({ path })).rejects.toEqual(failing('schema-newer', /newer program/));
    await expect(openLmdbStore({ path, readOnly: true })).rejects.toEqual(failing('schema-newer'));
    expect(rawDump(path)).toEqual(before);
  });

  test('of an older program is brought up step by step', async () => {
    await makeStore();
    const old = environment();
    const key = new TextEncoder().encode('steps');
    const step = (from: number) => ({
      from,
      async run() {
        const value = Uint8Array.of(...(old.get('property', key) ?? []), from);
        return [{ table: 'property' as const, key, value }];
      },
    });
    await prepareSchema(old, SCHEMA_VERSION + 2, [step(SCHEMA_VERSION + 1), step(SCHEMA_VERSION)]);
    expect(old.get('property', key)).toEqual(Uint8Array.of(SCHEMA_VERSION, SCHEMA_VERSION + 1));
    await expect(prepareSchema(old)).rejects.toEqual(failing('schema-newer'));
    await old.close();
  });

  test('2 had written every hash at once', async () => {
    const dump = await makeStore();
    // Of this program, no hash may wait; then its hash_slice rows are removed.
    const store = await openLmdbStore({ path, waitingHashes: 0 });
    await store.commit({});
    await store.close();
    const old = environment();
    for (let slice = 0; slice < 256; slice += 1)
      await old.write([{ table: 'hash_slice', key: slice }]);
    await old.write([versionOp(2)]);
    const hashes = old.rowCount('tx_id') + old.rowCount('key_image');
    await old.close();
    expect(hashRows(path).held).toHaveLength(hashes);
    expect(hashRows(path).due).toEqual([]);

    await expect(openLmdbStore({ path, readOnly: true })).rejects.toEqual(failing('read-only'));
    const migrated = await openLmdbStore({ path });
    expect(dumpStore(migrated, { properties: ['color'] })).toEqual(dump);
    expect(hashRows(path).due).toHaveLength(hashes);
    expect(hashRows(path).held).toEqual(hashRows(path).due);
    await migrated.commit(changeOf({ popTo: 10, append: new RandomChain('after').blocks(10, 5) }));
    await migrated.close();
    expect(hashRows(path).held).toEqual(hashRows(path).due);
  });

  test('3 had no recent tables', async () => {
    const dump = await makeStore();
    const old = environment();
    await old.write([versionOp(3)]);
    await old.close();
    const root = open({ path, noSubdir: false, maxDbs: 30 });
    for (const name of ['recent_tx_id', 'recent_key_image'])
      await root.openDB({ name, keyEncoding: 'uint32', encoding: 'binary' }).drop();
    await root.close();
    await expect(openLmdbStore({ path, readOnly: true })).rejects.toEqual(
      failing('read-only', /older version/),
    );
    const migrated = await openLmdbStore({ path });
    expect(dumpStore(migrated, { properties: ['color'] })).toEqual(dump);
    await migrated.close();
  });

  test('stays with its rows when a migration fails', async () => {
    await makeStore();
    const old = environment();
    const before = dumpEnvironment(old);
    const broken = { from: SCHEMA_VERSION, run: () => Promise.reject(new Error('no')) };
    await expect(prepareSchema(old, SCHEMA_VERSION + 1, [broken])).rejects.toThrow('no');
    expect(dumpEnvironment(old)).toEqual(before);
    await expect(prepareSchema(old, SCHEMA_VERSION + 1, [])).rejects.toEqual(failing('damaged'));
    await old.close();
  });

  test('must not be missing where there are blocks', async () => {
    await makeStore();
    const broken = environment();
    await broken.write([{ table: 'schema', key: versionOp(0).key }]);
    await broken.close();
    await expect(openLmdbStore({ path })).rejects.toEqual(failing('damaged', /schema/));
  });
});

describe('a damaged file is refused', () => {
  const damage: Record<string, (bytes: Buffer) => Uint8Array> = {
    'when it is garbage': () => new Random('garbage').bytes(100_000),
    'when it is zeros': (bytes) => new Uint8Array(bytes.length),
    'when it is text': () => Buffer.from('no database\n'.repeat(1000)),
    'when it is too short for its own header': (bytes) => bytes.subarray(0, 100),
    'when only its header is left': (bytes) => bytes.subarray(0, 8192),
    'when half of it is missing': (bytes) => bytes.subarray(0, bytes.length / 2),
    'when the second header page is gone': (bytes) => Buffer.from(bytes).fill(0, 4096, 8192),
    'when another LMDB made it': (bytes) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt32LE(1, 28);
      return copy;
    },
    'when it claims an odd page size': (bytes) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt32LE(4095, 48);
      return copy;
    },
    'when its tables lie outside': (bytes) => {
      const copy = Buffer.from(bytes);
      copy.writeBigUInt64LE(1n << 40n, 24 + 112);
      copy.writeBigUInt64LE(1n << 40n, 4096 + 24 + 112);
      return copy;
    },
  };

  test.each(Object.keys(damage))('%s', async (name) => {
    await makeStore();
    writeFileSync(dataFile, damage[name]?.(readFileSync(dataFile)) ?? '');
    await expect(openLmdbStore({ path })).rejects.toEqual(
      failing('damaged', /restore it from a copy/),
    );
    // And again: refusing must not change that.
    await expect(openLmdbStore({ path })).rejects.toEqual(failing('damaged'));
  });

  test('when a referenced row is missing from the newest blocks', async () => {
    await makeStore();
    const broken = openEnvironment({ path, syncMode: 'fast', readOnly: false });
    await broken.write([{ table: 'rct_output', key: Number(broken.lastKey('rct_output')) }]);
    await broken.close();
    await expect(openLmdbStore({ path })).rejects.toEqual(failing('damaged', /rct_output/));
  });

  test('a file that lacks but free pages at its end is taken and filled up', async () => {
    const dump = await makeStore();
    const size = statSync(dataFile).size;
    // Pages beyond those in use, as LMDB leaves them out when they are free.
    const bytes = readFileSync(dataFile);
    for (const meta of [0, 4096]) {
      const at = meta + 24 + 120;
      bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + 3n, at);
    }
    writeFileSync(dataFile, bytes);
    await expect(openLmdbStore({ path, readOnly: true })).rejects.toEqual(
      failing('damaged', /end of/),
    );
    const store = await openLmdbStore({ path });
    expect(dumpStore(store, { properties: ['color'] })).toEqual(dump);
    await store.close();
    expect(statSync(dataFile).size).toBe(size + 3 * 4096);
  });

  test('a bad page among good ones is met with an error, not a crash', async () => {
    const dump = await makeStore();
    const good = join(path, 'good');
    copyFileSync(dataFile, good);
    const pages = statSync(good).size / 4096;
    const outcomes = new Set<string>();
    for (let page = 2; page < pages; page += 3) {
      const bytes = readFileSync(good);
      bytes.fill(0, page * 4096, (page + 1) * 4096);
      writeFileSync(dataFile, bytes);
      try {
        const store = await openLmdbStore({ path });
        try {
          // Zeros inside a blob can't be told from a blob of zeros.
          const shown = dumpStore(store, { properties: ['color'] });
          outcomes.add(lineCount(shown) === lineCount(dump) ? 'read' : 'less');
        } finally {
          await store.close();
        }
      } catch (error) {
        expect(error).toEqual(failing('damaged'));
        outcomes.add('damaged');
      }
    }
    expect([...outcomes].sort()).toEqual(['damaged', 'read']);
  }, 120_000);
});

describe('a store that cannot be made', () => {
  test('where a file is in the way', async () => {
    mkdirSync(join(path, '..'), { recursive: true });
    closeSync(openSync(path, 'w'));
    await expect(openLmdbStore({ path })).rejects.toEqual(failing('io'));
  });
});

describe('reading only', () => {
  test('needs a store, and makes none', async () => {
    await expect(openLmdbStore({ path, readOnly: true })).rejects.toEqual(
      failing('io', /no store/),
    );
    expect(existsSync(path)).toBe(false);
  });

  test('returns the stored data and refuses to write', async () => {
    const dump = await makeStore();
    const store = await openLmdbStore({ path, readOnly: true });
    expect(dumpStore(store, { properties: ['color'] })).toEqual(dump);
    const refused = failing('read-only');
    await expect(store.commit({ popTo: 1 })).rejects.toEqual(refused);
    await expect(store.setProperty('color', undefined)).rejects.toEqual(refused);
    await store.sync();
    await store.close();
  });

  test('works beside a writer and sees its commits', async () => {
    await makeStore();
    const writer = await openLmdbStore({ path });
    const reader = await openLmdbStore({ path, readOnly: true });
    expect(reader.height).toBe(30);
    await writer.commit({ popTo: 25 });
    await readerTurn();
    expect(dumpStore(reader)).toEqual(dumpStore(writer));
    await writer.close();
    expect(reader.height).toBe(25);
    await reader.close();
  });
});

test('what is free at the end of the file is filled up after every commit', async () => {
  const store = await openLmdbStore({ path, syncMode: 'fastest' });
  const chain = new RandomChain('short');
  for (let i = 0; i < 300; i += 1) {
    const popTo = Math.max(
      0,
      store.height - chain.random.below(chain.random.below(10) === 0 ? 60 : 6),
    );
    await store.commit(changeOf({ popTo, append: chain.blocks(popTo, chain.random.below(10)) }));
    expect(inspectDataFile(dataFile).missing).toBe(0);
  }
  await store.close();
  // That the check above can fail:
  truncateSync(dataFile, 8192);
  expect(inspectDataFile(dataFile).missing).toBeGreaterThan(0);
  await expect(openLmdbStore({ path })).rejects.toEqual(failing('damaged'));
}, 120_000);

test('options and modes that there are not are errors that name the choices', async () => {
  const opening = (options: object) => openLmdbStore(options as { path: string });
  await expect(opening({ path, readonly: true })).rejects.toThrow(
    'openLmdbStore: no option "readonly"; there are path, syncMode, readOnly,',
  );
  await expect(opening({ path, syncMode: 'slow' })).rejects.toThrow(
    'openLmdbStore: syncMode is "slow"; it can be "safe", "fast", "fastest"',
  );
  await expect(opening({})).rejects.toThrow('openLmdbStore: path is missing');
  expect(existsSync(dataFile)).toBe(false);
});
