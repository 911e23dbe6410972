import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { loadFcmpAddon } from './addon.ts';

const file = fileURLToPath(new URL('../../native/build/fcmp.node', import.meta.url));

/** A worker that derives generators and makes their tables at the same time as its siblings. */
const WORKER = `
  const { parentPort, workerData: file } = require('node:worker_threads');
  const addon = require(file);
  const sums = [];
  for (const curve of [0, 1]) {
    for (const pairs of [1, 200, 600]) {
      const out = new Uint8Array(64);
      const scalars = new Uint8Array(64 + 64 * pairs).map((_, i) => i % 32 < 31 ? i * 7 : 0);
      addon.cycleSum(curve, new Uint8Array(0), new Uint8Array(0), scalars, out);
      sums.push(Buffer.from(out).toString('hex'));
    }
  }
  parentPort.postMessage(sums);
`;

function run(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { eval: true, execArgv: [], workerData: file });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

(existsSync(file) ? test : test.skip)(
  'worker threads of one process load the addon and derive its generators at the same time',
  async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 4 }, run));
    expect(new Set(first).size).toBe(6);
    for (const each of others) expect(each).toEqual(first);
  },
);

/** A worker that needs more generators than there are, when it is told to. */
const GROWING = `
  const { parentPort, workerData: { file, shared } } = require('node:worker_threads');
  const addon = require(file);
  const stage = new Int32Array(shared);
  const scalars = new Uint8Array(64 + 64 * 8192);
  parentPort.postMessage('ready');
  Atomics.wait(stage, 0, 0);
  Atomics.store(stage, 0, 2);
  addon.cycleSum(0, new Uint8Array(0), new Uint8Array(0), scalars, new Uint8Array(64));
  Atomics.store(stage, 0, 3);
`;

(existsSync(file) ? test : test.skip)(
  'threads that need few generators do not wait for one that derives many',
  async () => {
    const addon = loadFcmpAddon();
    const none = new Uint8Array(0);
    const sum = (): boolean =>
      addon.cycleSum(0, none, none, new Uint8Array(128), new Uint8Array(64));
    sum();
    const shared = new SharedArrayBuffer(4);
    const stage = new Int32Array(shared);
    const worker = new Worker(GROWING, { eval: true, execArgv: [], workerData: { file, shared } });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    Atomics.store(stage, 0, 1);
    Atomics.notify(stage, 0);
    const times: number[] = [];
    for (let now = 1; now !== 3; now = Atomics.load(stage, 0)) {
      const begin = performance.now();
      sum();
      // Not those before the other has begun.
      if (now === 2) times.push(performance.now() - begin);
    }
    await ended;
    // Whoever waits does so in one sum, for nearly all of the time.
    expect(times.length).toBeGreaterThan(20);
    const all = times.reduce((total, time) => total + time, 0);
    expect(Math.max(...times) / all).toBeLessThan(0.5);
  },
);
