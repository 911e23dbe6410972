// Preloaded into a node of ours (`node --expose-gc --import`). Every few seconds it collects garbage and appends the
// memory in use, with the time, to the file named by SOAK_MEMORY.
import { appendFileSync, readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_MS = 3000;
const MIB = 1024 * 1024;

/** Returns the resident memory without pages of files, in which LMDB keeps the chain. */
function anonymousMemory() {
  const [, kilobytes = '0'] =
    /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/**
 * What is reported: the time, and MiB. live: what is in use after a collection; anonymous: without pages of files.
 *
 * @typedef {{ at: number, live: number, external: number, anonymous: number, rss: number }} Sample
 */

/** @param {string} file */
function sample(file) {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  /** @param {number} bytes */
  const mib = (bytes) => Math.round((bytes / MIB) * 100) / 100;
  /** @type {Sample} */
  const line = {
    at: Date.now(),
    live: mib(heapUsed + external),
    external: mib(external),
    anonymous: mib(anonymousMemory()),
    rss: mib(rss),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

const file = process.env.SOAK_MEMORY;
if (file && isMainThread) setInterval(() => sample(file), INTERVAL_MS).unref();
