// Preloaded into a node of ours (`node --expose-gc --import`): every few seconds it collects garbage and
// appends what is left, with the time, to the file that SOAK_MEMORY names.
import { appendFileSync, readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_MS = 3000;
const MIB = 1024 * 1024;

/** Resident memory without pages of files, which is where LMDB keeps the chain. */
function anonymousMemory() {
  const [, kilobytes = '0'] =
    /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function sample(file) {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const mib = (bytes) => Math.round((bytes / MIB) * 100) / 100;
  const line = {
    at: Date.now(),
    live: mib(heapUsed + external),
    anonymous: mib(anonymousMemory()),
    rss: mib(rss),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

const file = process.env.SOAK_MEMORY;
if (file && isMainThread) setInterval(() => sample(file), INTERVAL_MS).unref();
