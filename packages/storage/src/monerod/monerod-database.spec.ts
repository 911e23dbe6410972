import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MonerodDatabaseError } from './monerod-database-error.ts';
import { MonerodDatabase } from './monerod-database.ts';

const PAGE = 4096;
/** Databases of monerod 0.18.0 on regtest: the first blocks of the recorded chain, written by its import program. */
const [SHORT, LONG] = ['10-blocks', '197-blocks'].map((name) =>
  gunzipSync(readFileSync(new URL(`../../fixtures/monerod/${name}.mdb.gz`, import.meta.url))),
) as [Buffer, Buffer];

let folder: string;
let path: string;
const opened: MonerodDatabase[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'monerod-'));
  path = join(folder, 'fake', 'lmdb', 'data.mdb');
  mkdirSync(dirname(path), { recursive: true });
});
afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  rmSync(folder, { recursive: true });
});

function open(bytes: Uint8Array, directory = folder): MonerodDatabase {
  writeFileSync(path, bytes);
  const database = new MonerodDatabase(directory, 'fake');
  opened.push(database);
  return database;
}

/** Returns a changed copy. */
function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

/** Where the pages of a kind begin. */
function pagesOf(bytes: Buffer, kind: number): number[] {
  const starts = Array.from({ length: bytes.length / PAGE }, (_, i) => i * PAGE);
  return starts.filter((at) => bytes.readUInt16LE(at + 10) === kind);
}

/** The meta page of the newest write: page 1 in both recordings. */
const META = PAGE + 16;

/** Reads everything; returns a digest. */
function digest(database: MonerodDatabase): string {
  const hash = createHash('sha256');
  for (let height = 0; height < database.height; height++) {
    const { id, weight } = database.blockInfo(height);
    hash.update(database.blockBlob(height)).update(id).update(`${weight} `);
    hash.update(`${database.heightOf(id) ?? 'unknown'} `);
  }
  for (let number = 0; number < database.txCount; number++) {
    const { pruned, prunable } = database.transaction(number);
    hash.update(pruned).update(prunable ?? 'dropped');
    hash.update(database.prunableHash(number) ?? 'version 1');
  }
  return hash.digest('hex');
}

test.each([
  ['with rows inside nodes', SHORT, 10, 10],
  ['with rows on pages of their own, and long values', LONG, 197, 206],
])('reads a database %s', (_, bytes, height, txCount) => {
  const database = open(bytes);
  expect(database).toMatchObject({ height, txCount, pruningSeed: 0, path });
  let below = Buffer.alloc(32);
  for (let at = 0; at < height; at++) {
    const { id, weight } = database.blockInfo(at);
    expect(weight).toBeGreaterThanOrEqual(80);
    // Every block names the one below.
    expect(Buffer.from(database.blockBlob(at)).includes(below)).toBe(true);
    below = Buffer.from(id);
    expect(database.heightOf(id)).toBe(at);
  }
  const pieces = Array.from({ length: txCount }, (__, at) => database.transaction(at));
  expect(pieces.every(({ pruned }) => pruned.length > 50)).toBe(true);
  const long = pieces.filter(({ prunable }) => (prunable?.length ?? 0) > PAGE / 2);
  expect(long.length > 0).toBe(bytes === LONG);
  expect(digest(database)).toHaveLength(64);
});

test('a database that is disposed of is closed', () => {
  const database = open(SHORT);
  opened.splice(0);
  database[Symbol.dispose]();
  expect(() => database.blockBlob(0)).toThrow(MonerodDatabaseError);
});

test('finds the database in the data directory, in the folder of the network, and by its own folder', () => {
  const digests = [folder, join(folder, 'fake'), dirname(path)].map((directory) =>
    digest(open(SHORT, directory)),
  );
  expect(new Set(digests).size).toBe(1);
  rmSync(path);
  expect(() => new MonerodDatabase(folder, 'fake')).toThrow(`${path} does not exist`);
});

test('knows neither unknown blocks nor unknown transactions', () => {
  const database = open(LONG);
  expect(database.heightOf(new Uint8Array(32).fill(1))).toBeUndefined();
  expect(database.numberOf(new Uint8Array(32).fill(255))).toBeUndefined();
  expect(() => database.blockBlob(197)).toThrow('block 197 is missing');
  expect(() => database.blockInfo(197)).toThrow('the record of block 197 is missing');
  expect(() => database.transaction(206)).toThrow('transaction 206 is missing');
});

test('does not change the file', () => {
  const database = open(LONG);
  digest(database);
  database.checkUnused();
  expect(readFileSync(path).equals(LONG)).toBe(true);
});

test('notices that the database was written to', () => {
  const database = open(SHORT);
  // The next write goes to the other meta page.
  const written = changed(SHORT, (copy) => {
    SHORT.copy(copy, 0, PAGE, 2 * PAGE);
    copy.writeUInt32LE(0, 0);
    copy.writeUInt8(6, 16 + 128);
  });
  writeFileSync(path, written);
  expect(() => database.checkUnused()).toThrow('was written to while it was read');
});

test.each<[string, Uint8Array, string]>([
  ['an empty file', new Uint8Array(0), 'ends at byte 0'],
  ['a file of zeros', new Uint8Array(3 * PAGE), 'does not begin as an LMDB file'],
  ['another data version', changed(SHORT, (copy) => copy.writeUInt8(2, 20)), 'data version 2'],
  ['no page size', changed(SHORT, (copy) => copy.writeUInt32LE(0, 40)), 'pages of 0 bytes'],
  [
    'headers of different writes',
    changed(SHORT, (copy) => copy.writeUInt8(9, META + 128)),
    'two headers do not belong together',
  ],
  ['a missing end', SHORT.subarray(0, 12 * PAGE), 'within what it refers to'],
  [
    'a page in the place of another',
    changed(SHORT, (copy) => {
      for (const at of pagesOf(SHORT, 2)) copy.writeUInt8(2, at);
    }),
    'is marked as page',
  ],
  [
    'a reference to nowhere',
    changed(SHORT, (copy) => copy.writeUInt32LE(70_000, META + 24 + 48 + 40)),
    'a reference to page 70000',
  ],
  [
    'a tree without end',
    changed(SHORT, (copy) => copy.writeUInt16LE(99, META + 24 + 48 + 6)),
    'a tree of 99 levels',
  ],
  [
    'a tree deeper than it is',
    changed(SHORT, (copy) => copy.writeUInt16LE(5, META + 24 + 48 + 6)),
    'a tree that ends too early',
  ],
  [
    'nodes beyond their page',
    changed(SHORT, (copy) => {
      for (const at of pagesOf(SHORT, 2)) copy.writeUInt16LE(0xfff0, at + 12);
    }),
    'a page with nodes up to byte 65520',
  ],
])('refuses %s', (_, bytes, message) => {
  expect(() => digest(open(bytes))).toThrow(message);
});

test('refuses the tables of another version', () => {
  const at = SHORT.lastIndexOf(Buffer.from('version\0')) + 8;
  const older = changed(SHORT, (copy) => copy.writeUInt32LE(4, at));
  expect(() => open(older)).toThrow('version 4 of monerod');
  expect(() => open(older)).toThrow('start monerod 0.18 once');
  expect(() => open(changed(SHORT, (copy) => copy.writeUInt32LE(6, at)))).toThrow('newer version');
});

test('a branch that refers to itself ends a look-up', () => {
  const branches = pagesOf(LONG, 1);
  expect(branches.length).toBeGreaterThan(0);
  const circle = changed(LONG, (copy) => {
    for (const at of branches) {
      const nodes = (copy.readUInt16LE(at + 12) - 16) / 2;
      for (let i = 0; i < nodes; i++) {
        const node = at + copy.readUInt16LE(at + 16 + 2 * i);
        copy.writeUInt32LE(at / PAGE, node);
      }
    }
  });
  expect(() => digest(open(circle))).toThrow('a tree with too many levels');
});

test('300 damaged databases are read or refused', () => {
  const whole = digest(open(SHORT));
  let state = 12_345;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const outcomes = { same: 0, other: 0, refused: 0 };
  for (let round = 0; round < 300; round++) {
    const bytes = changed(SHORT, (copy) => {
      for (let flips = 1 + random(8); flips > 0; flips--) {
        // Most of a page is unused; its head is not.
        const at = random(copy.length / PAGE) * PAGE + random(flips % 2 === 0 ? PAGE : 64);
        copy.writeUInt8(random(256), at);
      }
    });
    writeFileSync(path, bytes);
    outcomes[outcome(whole)]++;
  }
  expect(outcomes.refused).toBeGreaterThan(50);
  expect(outcomes.same).toBeGreaterThan(5);

  function outcome(expected: string): keyof typeof outcomes {
    let database: MonerodDatabase | undefined;
    try {
      database = new MonerodDatabase(folder, 'fake');
      return digest(database) === expected ? 'same' : 'other';
    } catch (error) {
      expect(error).toMatchObject({ name: 'MonerodDatabaseError' });
      return 'refused';
    } finally {
      database?.close();
    }
  }
});

test('a file cut short while it is read is refused', () => {
  const database = open(LONG);
  truncateSync(path, 4 * PAGE);
  expect(() => digest(database)).toThrow('it ends at byte');
});
