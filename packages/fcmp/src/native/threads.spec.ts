import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

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
