import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { parseBlock, toHex, type TransactionOutliner } from '@monero-node/codec';
import {
  genesisOf,
  bundleOf,
  EASY,
  makeBlock,
  startTestChain,
} from '@monero-node/blockchain/testing';
import { MonerodDatabase } from '@monero-node/storage';
import { inlineOutliner } from '../testing/inline-outliner.ts';
import { importBlocks, type ImportOptions } from './import-blocks.ts';
import { MonerodSource } from './monerod-source.ts';

/** Databases that monerod's import program wrote from the first blocks of the recorded chain. */
const RECORDED = new URL('../../../../packages/storage/fixtures/monerod/', import.meta.url);
const [SHORT, LONG] = ['10-blocks', '197-blocks'].map((name) =>
  gunzipSync(readFileSync(new URL(`${name}.mdb.gz`, RECORDED))),
) as [Buffer, Buffer];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'move-in-'));
  path = join(folder, 'data.mdb');
});
afterEach(() => rmSync(folder, { recursive: true }));

type TestChain = Awaited<ReturnType<typeof startTestChain>>['chain'];

async function importFrom(
  bytes: Uint8Array,
  chain: TestChain,
  options: Partial<ImportOptions> = {},
): Promise<number> {
  writeFileSync(path, bytes);
  const source = new MonerodSource(folder, '');
  try {
    const settings = { trust: true, batchSize: 40, ...options };
    return (await importBlocks(chain, source, settings)).height;
  } finally {
    await source.close();
  }
}

/**
 * Returns a copy in which a bit is changed, `distance` bytes after the start of a pattern. LMDB leaves older copies of
 * pages behind, so every occurrence is changed.
 */
function changed(bytes: Buffer, pattern: Uint8Array, distance: number): Buffer {
  const copy = Buffer.from(bytes);
  let found = 0;
  for (let at = bytes.indexOf(pattern); at !== -1; at = bytes.indexOf(pattern, at + 1)) {
    copy.writeUInt8(bytes.readUInt8(at + distance) ^ 1, at + distance);
    found++;
  }
  expect(found).toBeGreaterThan(0);
  return copy;
}

test("imports and verifies the blocks of monerod's database", async () => {
  const { chain } = await startTestChain();
  expect(await importFrom(SHORT, chain, { trust: false })).toBe(10);
  expect(chain.counters).toMatchObject({ blocks: 9, pow: 9, known: 0 });
  const database = new MonerodDatabase(folder);
  for (let height = 0; height < 10; height++) {
    const { id } = database.blockInfo(height);
    expect(chain.store.heightOf(id)).toBe(height);
    expect(chain.store.blockMeta(height)?.weight).toBe(database.blockInfo(height).weight);
  }
  database.close();
});

test('imports transactions, and goes on where it stopped', async () => {
  const { chain } = await startTestChain();
  const shares: number[] = [];
  const onProgress = ({ share }: { share: number }): void => void shares.push(share);
  expect(await importFrom(LONG, chain, { blockStop: 190, onProgress })).toBe(191);
  expect(await importFrom(LONG, chain, { onProgress })).toBe(197);
  expect(shares.length).toBe(6);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  expect(chain.store.blockMeta(196)?.cumulativeTxCount).toBe(9);
  // Nothing is left to do.
  expect(await importFrom(LONG, chain)).toBe(197);
  expect(await importFrom(SHORT, chain)).toBe(197);
});

test('refuses the database of another chain', async () => {
  const { chain } = await startTestChain();
  const other = makeBlock(EASY, genesisOf(EASY), { timestamp: 1_600_000_000 });
  await chain.addSpan([bundleOf(other)]);
  await expect(importFrom(SHORT, chain)).rejects.toThrow(
    "block 1 of monerod's database differs from the block of this chain: it is of another chain",
  );
});

test('a changed block is not the one that monerod recorded', async () => {
  writeFileSync(path, SHORT);
  const database = new MonerodDatabase(folder);
  const blob = database.blockBlob(7);
  database.close();
  const { chain } = await startTestChain();
  // At difficulty 1 every nonce is valid.
  const nonce = parseBlock(blob).block.nonce;
  const at = blob.findIndex((_, i) => i > 32 && Buffer.from(blob).readUInt32LE(i) === nonce);
  const bytes = changed(SHORT, blob.subarray(0, at), at);
  await expect(importFrom(bytes, chain)).rejects.toThrow('its id is not the recorded one');
  expect(chain.height).toBe(7);
});

test('a changed transaction is not the one that its block lists', async () => {
  writeFileSync(path, LONG);
  const database = new MonerodDatabase(folder);
  const { chain } = await startTestChain();
  let number = 0;
  while ((database.transaction(number).prunable?.length ?? 0) === 0) number++;
  const { pruned } = database.transaction(number);
  database.close();
  const bytes = changed(LONG, pruned, pruned.length - 1);
  await expect(importFrom(bytes, chain)).rejects.toThrow(`transaction ${number} is not its own`);
});

test('makes groups of its blocks', async () => {
  writeFileSync(path, LONG);
  const source = new MonerodSource(folder, '');
  expect(await source.groups()).toEqual([]);
  const { ids, weights } = await source.offer(1000);
  expect([ids.length, weights.length]).toEqual([197, 197]);
  await source.close();
});

interface Ahead {
  readonly outliner: TransactionOutliner;
  readonly groupBytes: number;
}

/** Returns the ids that are read, and the message of the error that ends it. */
async function readAll(bytes: Buffer, ahead?: Ahead, isPruned = false): Promise<string[]> {
  writeFileSync(path, bytes);
  const source = new MonerodSource(folder, '');
  if (isPruned) Object.assign(source, { pruningSeed: 386 });
  if (ahead !== undefined) source.readAhead(ahead.outliner, ahead.groupBytes);
  const found: string[] = [];
  try {
    await source.skipTo(150);
    for (let next = await source.next(); next; next = await source.next()) {
      found.push(toHex(next.block.id));
      for (const { id, prunableHash, pruned } of next.txs)
        found.push(toHex(id), toHex(prunableHash), String(pruned));
    }
  } catch (error) {
    found.push((error as Error).message);
  } finally {
    await source.close();
  }
  return found;
}

/** Fewer bytes than a block, than two with transactions, and more than all. */
const GROUPS = [1, 4000, 1_000_000];

test.each(GROUPS)('blocks are read ahead as without, in groups of %i bytes', async (groupBytes) => {
  const ahead = { outliner: inlineOutliner, groupBytes };
  const plain = await readAll(LONG);
  expect(plain).toHaveLength(47 + 3 * 9);
  expect(await readAll(LONG, ahead)).toEqual(plain);
  const fail = () => Promise.reject(new Error('the thread has ended'));
  const failing = { outline: fail, outlinePackages: fail };
  expect(await readAll(LONG, { outliner: failing, groupBytes })).toEqual(plain);
});

test.each(GROUPS)(
  'what is damaged or was pruned is found when it is its turn, in groups of %i bytes',
  async (groupBytes) => {
    const ahead = { outliner: inlineOutliner, groupBytes };
    writeFileSync(path, LONG);
    const database = new MonerodDatabase(folder);
    const block = database.blockBlob(190);
    const txs = Array.from({ length: database.txCount }, (_, i) => database.transaction(i));
    database.close();
    const spends = txs.filter(({ prunable }) => (prunable?.length ?? 0) > 0);
    expect(spends).toHaveLength(9);
    const { pruned, prunable = new Uint8Array() } = spends[4] as (typeof spends)[number];
    const damaged = [
      changed(LONG, pruned, pruned.length - 1),
      changed(LONG, pruned, 2),
      changed(LONG, prunable.subarray(0, 64), 63),
      changed(LONG, block, block.length - 1),
      changed(LONG, block, 45),
    ];
    for (const bytes of damaged) {
      const plain = await readAll(bytes);
      expect(plain.length).toBeLessThan(47 + 3 * 9);
      expect(await readAll(bytes, ahead)).toEqual(plain);
    }
    const transaction = jest
      .spyOn(MonerodDatabase.prototype, 'transaction')
      .mockImplementation((number) => ({
        ...(txs[number] as (typeof txs)[number]),
        prunable: undefined,
      }));
    try {
      // Not a pruned database, and then one.
      for (const isPruned of [false, true]) {
        const plain = await readAll(LONG, undefined, isPruned);
        expect(plain).toHaveLength(isPruned ? 47 + 3 * 9 : plain.length);
        expect(await readAll(LONG, ahead, isPruned)).toEqual(plain);
      }
    } finally {
      transaction.mockRestore();
    }
  },
);
