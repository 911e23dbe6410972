import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampled, sampleSize } from '@monero-node/base/testing';
import type { ChainStore } from './chain-store.ts';
import { openLmdbStore } from './lmdb/open.ts';
import { BUCKETS } from './lmdb/hashes/recent-bucket.ts';
import { createMemoryStore } from './memory-store.ts';
import { probesOf } from './testing/compliance-pop.ts';
import { dumpStore } from './testing/dump.ts';
import { hashRows } from './testing/hash-rows.ts';
import { RandomChain } from './testing/random-chain.ts';
import { readerTurn } from './testing/reader-turn.ts';
import type { LooseBlock } from './record-objects.ts';
import { changeOf, type LooseChange } from './testing/loose-block.ts';

const STEPS = sampleSize({ usual: 100, whole: 250 });

/** The outcome of a commit: undefined, or the error code of its refusal. */
async function outcome(store: ChainStore, change: LooseChange): Promise<unknown> {
  return store
    .commit(changeOf(change))
    .catch((error: unknown) => (error as { code: unknown }).code);
}

/** Every transaction id, asked for a few at a time. */
function allTxIds(store: ChainStore): string[] {
  const ids: string[] = [];
  for (let after: Uint8Array | undefined; ;) {
    const next = store.txIds(after, 7);
    ids.push(...next.map((id) => Buffer.from(id).toString('hex')));
    after = next.at(-1);
    if (after === undefined) return ids;
  }
}

/** Blocks out of several branches, so that some fit, some come too high and some hold what is spent. */
function randomChange(chain: RandomChain, height: number, made: LooseBlock[]): LooseChange {
  const { random } = chain;
  const popTo = random.below(3) === 0 ? Math.max(0, height - random.below(12)) : undefined;
  const base = popTo ?? height;
  const append: LooseBlock[] = [];
  for (let i = random.below(6); i > 0; i -= 1) {
    const old = made[random.below(made.length + 1)];
    const fits = old?.meta.height === base + append.length && random.below(2) === 0;
    append.push(fits ? old : chain.block(base + append.length));
    if (old !== undefined && random.below(15) === 0) {
      // The content of an old block at another height: new if that one was popped, spent if not.
      const meta = { ...old.meta, height: base + append.length, id: random.bytes(32) };
      append.push({ ...old, meta });
    }
    if (old !== undefined && random.below(40) === 0) append.push(old);
  }
  return { popTo, append };
}

/** The first and the last are furthest apart. */
const LIMITS = [
  ['all hashes waiting', { waitingHashes: 2 ** 19 }],
  ['few hashes waiting', { waitingHashes: 40 }],
  ['few waiting, the others collected', { waitingHashes: 40, recentHashes: 12 * BUCKETS }],
  ['the same, rows read ahead', { waitingHashes: 40, recentHashes: 12 * BUCKETS, memoryBytes: 0 }],
] as const;

test.each(sampled<(typeof LIMITS)[number]>(LIMITS, 3))(
  'through a long history of changes, good and bad, both stores show the same, %s',
  async (_, limits) => {
    const path = mkdtempSync(join(tmpdir(), 'storage-twins-'));
    const options = { path, syncMode: 'fastest', ...limits } as const;
    let lmdb = await openLmdbStore(options);
    const memory = createMemoryStore();
    const reader = await openLmdbStore({ ...options, readOnly: true });
    const shape = { txs: 2, v1Share: 0.6, prunableSize: 50, crowded: 'recentHashes' in limits };
    const chain = new RandomChain('twins', shape);
    const made: LooseBlock[] = [];
    const outcomes = new Set<unknown>();
    for (let step = 0; step < STEPS; step += 1) {
      const change = randomChange(chain, memory.height, made);
      made.push(...(change.append ?? []));
      const result = await outcome(lmdb, change);
      expect(result).toBe(await outcome(memory, change));
      outcomes.add(result);
      if (step % 10 !== 0) continue;
      if (step % 50 === 0) {
        await lmdb.close();
        lmdb = await openLmdbStore(options);
      }
      const dump = dumpStore(memory, probesOf(made));
      expect(dumpStore(lmdb, probesOf(made))).toEqual(dump);
      expect(allTxIds(lmdb)).toEqual(allTxIds(memory));
      await readerTurn();
      expect(dumpStore(reader, probesOf(made))).toEqual(dump);
      expect(allTxIds(reader)).toEqual(allTxIds(memory));
      const { held, due } = hashRows(path);
      expect(held.join('\n')).toBe(due.join('\n'));
    }
    expect([...outcomes].sort()).toEqual(['bad-height', 'duplicate-tx', undefined]);
    for (const store of [lmdb, memory, reader]) await store.close();
    rmSync(path, { recursive: true });
  },
  120_000,
);
