// FCMP++ proofs of seven layers with our backends, on one thread, as processor time of a proof: alone, two inputs, and in a batch.
//
//   npm run bench -- fcmp [--backend NAME]... [--out FILE]
//
// Backends are reference and native. Upstream's Rust library is no part of the run: the figures beside ours were measured once, on
// a busy core of the same kind, and ratios to them tell no more than the order of magnitude.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import {
  createFcmpBackend,
  FCMP_BACKEND_CHOICES,
  verifyFcmpPlusPlusBatch,
} from '@monero-node/fcmp';
import { machineText, warnWhenBusy } from './machine.mjs';
import { median } from './statistics.mjs';
import { present } from './values.mjs';

/** @import { FcmpBackend, FcmpPlusPlus } from '@monero-node/fcmp' */

const FIXTURES = fileURLToPath(
  new URL('../packages/fcmp/fixtures/proofs.json.gz', import.meta.url),
);
const BATCH = 32;
const FEWEST_CALLS = 5;
// Of processor time, so that a busy machine makes as many calls as an idle one.
const WARM_UP_MS = 1500;
const MEASURE_MS = 2000;

/**
 * Proofs by their number of inputs, how many are verified at once, and the milliseconds that upstream's library took for one.
 *
 * @type {readonly { name: string, inputs: number, size: number, upstream: number | undefined }[]}
 */
const CASES = [
  { name: '1 input', inputs: 1, size: 1, upstream: 66 },
  { name: '2 inputs', inputs: 2, size: 1, upstream: 138 },
  { name: '8 inputs', inputs: 8, size: 1, upstream: 471 },
  { name: `1 input, each of ${BATCH}`, inputs: 1, size: BATCH, upstream: undefined },
];

/**
 * Returns the proof of so many inputs that monero publishes with its tests.
 *
 * @param {number} inputs
 * @returns {FcmpPlusPlus}
 */
export function publishedProof(inputs) {
  /** @type {{ name: string, message: string, layers: number, root: string, pseudoOuts: string[], keyImages: string[], proof: string }[]} */
  const all = JSON.parse(gunzipSync(readFileSync(FIXTURES)).toString());
  const found = all.find(({ name }) => name === `published, ${inputs} inputs`);
  const { message, layers, root, pseudoOuts, keyImages, proof } = present(found);
  /** @param {string} hex */
  const bytes = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));
  return {
    message: bytes(message),
    layers,
    root: bytes(root),
    pseudoOuts: pseudoOuts.map(bytes),
    keyImages: keyImages.map(bytes),
    proof: bytes(proof),
  };
}

/**
 * Returns the milliseconds of processor time of a call: the median and the least. Throws Error when a proof is refused.
 *
 * @param {readonly FcmpPlusPlus[]} proofs
 * @param {FcmpBackend} backend
 */
function measure(proofs, backend) {
  /** @type {(ms: number, fewest: number) => number[]} */
  const verifyFor = (ms, fewest) => {
    /** @type {number[]} */
    const times = [];
    for (let spent = 0; spent < ms || times.length < fewest;) {
      const before = process.cpuUsage();
      if (!verifyFcmpPlusPlusBatch(proofs, backend)) throw new Error('a valid proof was refused');
      const { user, system } = process.cpuUsage(before);
      const time = (user + system) / 1000;
      spent += time;
      times.push(time / proofs.length);
    }
    return times;
  };
  // The first call derives generators and makes tables.
  verifyFor(WARM_UP_MS, 1);
  const times = verifyFor(MEASURE_MS, FEWEST_CALLS);
  return { median: median(times), best: Math.min(...times) };
}

/** @param {string[]} args */
export function fcmp(args) {
  const { values } = parseArgs({
    args,
    options: {
      backend: { type: 'string', multiple: true, default: ['native', 'wasm', 'reference'] },
      out: { type: 'string', default: 'bench-fcmp.json' },
    },
  });
  const rows = values.backend.flatMap((wanted) => {
    const choice = FCMP_BACKEND_CHOICES.find((known) => known === wanted);
    if (choice === undefined) throw new Error(`there are ${FCMP_BACKEND_CHOICES.join(', ')}`);
    const backend = createFcmpBackend(choice);
    return CASES.map(({ name, inputs, size, upstream }) => {
      const proofs = Array.from({ length: size }, () => publishedProof(inputs));
      const time = measure(proofs, backend);
      return { case: name, backend: backend.name, ...time, upstream };
    });
  });
  const machine = machineText();
  console.log(`\n${machine}; milliseconds of processor time for a proof of seven layers\n`);
  for (const { case: name, backend, median: middle, best, upstream } of rows) {
    const ratio =
      upstream === undefined
        ? ''
        : `, ${(upstream / middle).toFixed(2)} times as fast as upstream's ${upstream} ms (another run)`;
    console.log(
      `${backend.padEnd(10)} ${name.padEnd(20)} median ${middle.toFixed(1)}, least ${best.toFixed(1)}${ratio}`,
    );
  }
  warnWhenBusy();
  const result = { date: new Date().toISOString(), machine, rows };
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
}
