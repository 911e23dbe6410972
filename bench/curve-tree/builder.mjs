// A process that builds the tree of a store until it has so many leaves, and tells its parent after each commit what it has spent. It goes on
// where another one was killed.
import { createTreeHasher } from '@monero-node/curve-tree';
import { TreeThreads } from '@monero-node/curve-tree/threads';
import { openLmdbStore } from '@monero-node/storage';
import { present } from '../values.mjs';
import { buildAlone, buildOnThreads, leavesOf } from './growth.mjs';

/**
 * What a life of the builder has come to. Microseconds of processor time of all its threads, of the clock, and in which the writing thread was
 * busy; bytes of memory.
 *
 * @typedef {{ first: number, leaves: number, spent: number, elapsed: number, busy: number, memory: number }} Progress
 */

const [path, leaves, threadCount] = process.argv.slice(2);
const store = await openLmdbStore({ path: present(path), syncMode: 'fastest' });
const hasher = createTreeHasher({
  onFallback: (reason) => console.log(`no native code: ${reason}`),
});
const threads = threadCount === '0' ? undefined : new TreeThreads({ threads: Number(threadCount) });
const first = leavesOf(store);
const cpu = process.cpuUsage();
const loop = performance.eventLoopUtilization();
const started = performance.now();

/** @param {number} now */
function report(now) {
  const { user, system } = process.cpuUsage(cpu);
  /** @type {Progress} */
  const progress = {
    ...{ first, leaves: now, spent: user + system },
    elapsed: (performance.now() - started) * 1000,
    busy: performance.eventLoopUtilization(loop).active * 1000,
    memory: process.memoryUsage.rss(),
  };
  process.send?.(progress);
}

await (threads === undefined
  ? buildAlone(store, hasher, Number(leaves), report)
  : buildOnThreads(store, hasher, threads, Number(leaves), report));
await threads?.close();
await store.close();
process.disconnect();
