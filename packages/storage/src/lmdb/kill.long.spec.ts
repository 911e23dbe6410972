import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sampleSize } from '@monero-node/base/testing';
import type { ChainStore } from '../chain-store.ts';
import type { SyncMode } from './options.ts';
import { createMemoryStore } from '../memory-store.ts';
import { StoreChild } from '../testing/child.ts';
import { probesOf } from '../testing/compliance-pop.ts';
import { dumpStore } from '../testing/dump.ts';
import { hashRows } from '../testing/hash-rows.ts';
import { numberedAltBlock, numberedBlock, numberedChange } from '../testing/numbered-chain.ts';
import { openLmdbStore } from './open.ts';

const MODES: SyncMode[] = ['safe', 'fast', 'fastest'];
const KILLS = sampleSize({ usual: 4, whole: 10 });

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'storage-kill-'));
});

afterEach(() => {
  rmSync(path, { recursive: true });
});

function heightIn(line: string | undefined): number {
  const height = /^height (\d+)$/.exec(line ?? '')?.[1];
  if (height === undefined) throw new Error(`unexpected: ${line}`);
  return Number(height);
}

/** A store in memory that never crashed, to compare with. */
async function twinAt(twin: ChainStore, height: number): Promise<string> {
  await twin.commit(numberedChange(twin.height, Math.min(twin.height, height), height));
  return dumpWithNeighbors(twin);
}

/** The dump with all hashes of the last blocks and of those that a lost commit may have held. */
function dumpWithNeighbors(store: ChainStore): string {
  const heights = Array.from({ length: 40 }, (_, i) => store.height - 20 + i).filter(
    (height) => height >= 0,
  );
  return dumpStore(store, probesOf(heights.map(numberedBlock)));
}

test('killed at random moments, a store never loses a reported commit', async () => {
  const twin = createMemoryStore();
  for (let round = 0; round < KILLS; round += 1) {
    const child = new StoreChild('append', path, { syncMode: MODES[round % 3] });
    await child.line(2);
    await delay(Math.random() * 150);
    await child.kill();
    const reported = heightIn(child.lines.at(-1));
    const store = await openLmdbStore({ path });
    // At most the commit that was under way has been finished besides.
    expect(store.height).toBeGreaterThanOrEqual(reported);
    expect(store.height).toBeLessThanOrEqual(reported + 4);
    expect(store.altBlocks()).toEqual([numberedAltBlock(store.height)]);
    expect(dumpWithNeighbors(store)).toEqual(await twinAt(twin, store.height));
    const { held, due } = hashRows(path);
    expect(held).toEqual(due);
    await store.close();
  }
}, 120_000);

/** Returns the paths of all that is in a folder that another process changes, in one text. */
function contentsOf(folder: string): string {
  try {
    return readdirSync(folder, { recursive: true }).join(' ');
  } catch (error) {
    // What was listed may have been renamed or deleted before it was read.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** What is in the folder of a store while it is made, in order. */
const MAKING_STEPS = [/owner-/, /new/, /new.data\.mdb/, /(^| )data\.mdb/, /(^| )lock\.mdb/];

test('killed while it makes the store, it leaves nothing that hinders the next one', async () => {
  for (const round of MAKING_STEPS.keys()) {
    const folder = join(path, String(round));
    const child = new StoreChild('hold', folder);
    const isReached = () => {
      const made = contentsOf(folder);
      return MAKING_STEPS.slice(round).some((step) => step.test(made));
    };
    // Looks far more often than `until`: some steps take less than a millisecond.
    while (!isReached()) await new Promise((resolve) => setImmediate(resolve));
    await child.kill();
    const store = await openLmdbStore({ path: folder });
    await store.commit(numberedChange(0, 0, 3));
    expect(store.height).toBe(3);
    await store.close();
  }
}, 60_000);

test('a write the system refuses is reported, and fails only that commit', async () => {
  const child = new StoreChild('append', path, { maxFileSize: 1_000_000 });
  await child.ended();
  expect(child.lines.slice(-2)).toEqual([
    'failure EIO',
    expect.stringMatching(/^error io the disk that holds .*data\.mdb cannot be read or written/),
  ]);
  // Node names the error once, with a promise that this program does not handle. lmdb does not print it too.
  expect(child.errors.match(/Error: Input\/output error/g)).toHaveLength(1);
  const reported = heightIn(child.lines.at(-3));
  const store = await openLmdbStore({ path });
  expect(store.height).toBe(reported);
  expect(dumpWithNeighbors(store)).toEqual(await twinAt(createMemoryStore(), reported));
  await store.commit(numberedChange(reported, reported, reported + 5));
  expect(store.height).toBe(reported + 5);
  await store.close();
}, 60_000);
