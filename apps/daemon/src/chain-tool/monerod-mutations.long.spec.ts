import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { silentLogger } from '@monero-node/base';
import { sampleSize } from '@monero-node/base/testing';
import { openBlockchain } from '@monero-node/blockchain';
import { EASY, FixedPow } from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import { createInlineVerificationPool, createBackend } from '@monero-node/crypto';
import { createMemoryStore } from '@monero-node/storage';
import { inlineOutliner } from '../testing/inline-outliner.ts';
import { importBlocks } from './import-blocks.ts';
import { MonerodSource } from './monerod-source.ts';

const PAGE = 4096;
const ROUNDS = sampleSize({ usual: 80, whole: 200 });
const recorded = new URL(
  '../../../../packages/storage/fixtures/monerod/197-blocks.mdb.gz',
  import.meta.url,
);
const WHOLE = gunzipSync(readFileSync(recorded));
const PAGES = WHOLE.length / PAGE;
const BRANCH = 0x01;
const HEIGHT = 197;

let state = 20_261_122;
/** Returns the next number of a fixed sequence, from 0 up to `below`. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const kindOf = (page: number): number => WHOLE.readUInt16LE(page * PAGE + 10);
const branches = Array.from({ length: PAGES }, (_, page) => page).filter(
  (page) => kindOf(page) === BRANCH,
);

/** Where the reference to a random child of a random branch is. */
function reference(): { page: number; at: number } {
  const page = branches[random(branches.length)] as number;
  const count = (WHOLE.readUInt16LE(page * PAGE + 12) - 16) / 2;
  const node = WHOLE.readUInt16LE(page * PAGE + 16 + 2 * random(count));
  return { page, at: page * PAGE + node };
}

/** The kinds of damage; each changes a copy and returns what is left of it. */
const MUTATIONS: readonly ((copy: Buffer) => Buffer)[] = [
  // Bits of any byte.
  (copy) => {
    for (let flips = 1 + random(20); flips > 0; flips--) {
      const at = random(copy.length);
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << random(8)), at);
    }
    return copy;
  },
  // Bytes at the head of a page.
  (copy) => {
    const page = random(PAGES);
    for (let i = 0; i < 3; i++) copy.writeUInt8(random(256), page * PAGE + random(48));
    return copy;
  },
  // A truncated file.
  (copy) => copy.subarray(0, random(copy.length)),
  // A wrong page number.
  (copy) => {
    copy.writeUInt32LE(random(2 * PAGES), reference().at);
    return copy;
  },
  // A circle: a branch refers to itself.
  (copy) => {
    const { page, at } = reference();
    copy.writeUInt32LE(page, at);
    return copy;
  },
  // A page in the place of another, with the number of that place.
  (copy) => {
    const target = 2 + random(PAGES - 2);
    const source = 2 + random(PAGES - 2);
    WHOLE.copy(copy, target * PAGE, source * PAGE, (source + 1) * PAGE);
    copy.writeUInt32LE(target, target * PAGE);
    return copy;
  },
  // A number of the newest header.
  (copy) => {
    const at = PAGE + 16 + random(136);
    copy.writeUInt8(random(256), at);
    return copy;
  },
];

const plain = createBackend();
/** Commitments of coinbases, which take most of the time otherwise. */
const commitments = new Map<bigint, Uint8Array>();
function commitToAmount(amount: bigint): Uint8Array {
  const known = commitments.get(amount) ?? plain.commitToAmount(amount);
  commitments.set(amount, known);
  return known;
}
const parts = {
  backend: {
    commitToAmount,
    addMultiples: (sums: Parameters<typeof plain.addMultiples>[0]) => plain.addMultiples(sums),
  },
  verifier: createInlineVerificationPool(plain),
  pow: new FixedPow(),
  logger: silentLogger,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mutations-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  /** Ids of the imported blocks. */
  readonly ids: string[];
  /** Number of blocks that the database states; absent when it could not be opened. */
  readonly stated?: number | undefined;
  readonly error?: string | undefined;
}

/** Imports a database into an empty chain, ahead in groups of so many bytes if that is given. */
async function outcome(bytes: Buffer, groupBytes?: number): Promise<Outcome> {
  writeFileSync(join(folder, 'data.mdb'), bytes);
  const store = createMemoryStore();
  const chain = await openBlockchain({ network: EASY }, { ...parts, store });
  let error: string | undefined;
  let source: MonerodSource | undefined;
  try {
    source = new MonerodSource(folder, '');
    if (groupBytes !== undefined) source.readAhead(inlineOutliner, groupBytes);
    await importBlocks(chain, source, { trust: true, batchSize: 100 });
  } catch (thrown) {
    const { name, message } = thrown as Error;
    expect(['ImportError', 'MonerodDatabaseError']).toContain(name);
    error = message;
  } finally {
    await source?.close();
  }
  const metas = store.blockMetas(0, chain.height);
  return { ids: metas.map(({ id }) => toHex(id)), stated: source?.height, error };
}

test(`${ROUNDS} damaged databases end in an error or in the right chain`, async () => {
  const { ids: right } = await outcome(WHOLE);
  expect(right).toHaveLength(HEIGHT);
  const counts = { whole: 0, refused: 0, earlier: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const mutate = MUTATIONS[round % MUTATIONS.length] as (copy: Buffer) => Buffer;
    const bytes = mutate(Buffer.from(WHOLE));
    const plain = await outcome(bytes);
    expect(await outcome(bytes, 3000)).toEqual(plain);
    const { ids, stated, error } = plain;
    // Blocks before the damage stay, and they are the right ones.
    expect(ids).toEqual(right.slice(0, ids.length));
    // A page that an earlier write left, in the place of the newest, may make the database that of the earlier write.
    if (error === undefined) expect(ids).toHaveLength(stated ?? -1);
    counts[error === undefined ? 'whole' : 'refused']++;
    if (ids.length < HEIGHT && error === undefined) counts.earlier++;
  }
  expect(counts.refused).toBeGreaterThan(ROUNDS / 3);
  expect(counts.whole).toBeGreaterThan(ROUNDS / 20);
  expect(counts.earlier).toBeLessThan(ROUNDS / 20);
}, 120_000);
