// RandomX of one thread in light mode, versions 1 and 2: ours in WebAssembly, and librandomx through our addon where that was built and
// has the version.
// Compare the hashes per second of CPU time, which other processes hardly affect.
//
//   npm run bench -- pow [--hashes 60]
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createPowHasher } from '@monero-node/pow';
import { createRandomxWasmHasher } from '../packages/pow/dist/randomx-wasm/hasher.js';
import { warnWhenBusy } from './machine.mjs';
import { messageOf } from './values.mjs';

/** @import { PowHasher, RandomxVersion } from '@monero-node/pow' */
/**
 * @typedef {{ engine: string, create: (options: { onV2Fallback: (reason: string) => void }) => PowHasher }} Engine
 */

const SEED = Buffer.from('test key 000');
/** Number of hashes before the measurement, while the engine is compiled. */
const WARM_UP = 10;
const MIB = 2 ** 20;

/** @type {readonly Engine[]} */
const ENGINES = [
  { engine: 'WebAssembly', create: () => createRandomxWasmHasher({ threads: 1 }) },
  {
    engine: 'librandomx',
    create: (options) => createPowHasher({ engine: 'native', threads: 1, ...options }),
  },
];
/** @type {readonly RandomxVersion[]} */
const VERSIONS = ['randomx', 'randomx-v2'];

/**
 * Returns seconds of CPU time, of all threads, and seconds of wall-clock time.
 *
 * @param {() => Promise<unknown>} task
 */
async function time(task) {
  const clock = performance.now();
  const usage = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(usage);
  return { cpu: (user + system) / 1e6, wall: (performance.now() - clock) / 1000 };
}

/**
 * Returns undefined for a version that the engine has not.
 *
 * @param {Engine} engine
 * @param {RandomxVersion} version
 * @param {number} count of hashes
 */
async function measure({ engine, create }, version, count) {
  const before = process.memoryUsage().rss;
  let isLacking = false;
  const hasher = create({ onV2Fallback: () => (isLacking = true) });
  /** @param {number} i */
  const hash = (i) =>
    hasher.hash({ kind: version, seedHash: SEED, blob: Buffer.from(`blob ${i}`.padEnd(76)) });
  try {
    const cache = await time(() => hash(0));
    if (isLacking) return undefined;
    for (let i = 0; i < WARM_UP; i++) await hash(i);
    const hashes = await time(async () => {
      for (let i = 0; i < count; i++) await hash(i);
    });
    return {
      engine,
      version: version === 'randomx' ? 1 : 2,
      'hashes per CPU second': (count / hashes.cpu).toFixed(1),
      'hashes per second': (count / hashes.wall).toFixed(1),
      'seconds for cache and first hash': cache.cpu.toFixed(2),
      'memory (MiB)': Math.round((process.memoryUsage().rss - before) / MIB),
    };
  } finally {
    await hasher.close();
  }
}

/** @param {string[]} args */
export async function pow(args) {
  const { values } = parseArgs({ args, options: { hashes: { type: 'string', default: '60' } } });
  const count = Number(values.hashes);
  if (!Number.isInteger(count) || count < 1) throw new Error('--hashes needs a whole number');
  const rows = [];
  for (const engine of ENGINES) {
    for (const version of VERSIONS) {
      try {
        const row = await measure(engine, version, count);
        if (row === undefined) console.log(`${engine.engine}: has no version 2`);
        else rows.push(row);
      } catch (error) {
        console.log(`${engine.engine}: ${messageOf(error)}`);
      }
    }
  }
  console.log(`\n${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, one thread\n`);
  console.table(rows);
  warnWhenBusy();
}
