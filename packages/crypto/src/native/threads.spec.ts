import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { recordedTransactions } from '../testing/fixtures.ts';
import { oldProofs } from '../testing/old-fixtures.ts';
import { packClsags, packRangeProofs } from './pack.ts';
import { packBulletproofs } from './pack-old-proofs.ts';
import { PATHS } from './paths.ts';

const file = fileURLToPath(new URL('../../native/build/crypto.node', import.meta.url));

/** A worker that makes and reads the shared tables at the same time as its siblings. */
const WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { file, paths, clsags, count, proof, oldProof } = workerData;
  const addon = require(file);
  const results = [];
  for (const path of paths.filter((each) => addon.hasPath(each))) {
    const answers = new Uint8Array(count);
    addon.verifyClsag(clsags, answers, path);
    results.push(answers.every((answer) => answer === 1));
    results.push(addon.verifyBulletproofPlus(proof, new Uint8Array(32).fill(7), path));
    results.push(addon.verifyBulletproof(oldProof, new Uint8Array(64).fill(7), path));
  }
  parentPort.postMessage(results);
`;

function run(workerData: unknown): Promise<boolean[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { eval: true, execArgv: [], workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

(existsSync(file) ? describe : describe.skip)('the addon in several threads', () => {
  test('worker threads of one process load and use it at the same time', async () => {
    const [tx] = recordedTransactions();
    if (tx === undefined) throw new Error('no fixture');
    const clsags = packClsags(tx.clsags);
    const proof = packRangeProofs([tx.rangeProof]);
    const paths = [...PATHS.keys()];
    const oldProof = packBulletproofs(oldProofs().bulletproofs.slice(0, 1));
    const data = { file, paths, clsags, count: tx.clsags.length, proof, oldProof };
    const answers = await Promise.all(Array.from({ length: 4 }, () => run(data)));
    for (const each of answers) {
      // Three answers for every path that there is.
      expect(each.length).toBeGreaterThanOrEqual(3);
      expect(each).toEqual(each.map(() => true));
    }
  });
});
