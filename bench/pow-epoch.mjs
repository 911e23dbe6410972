// Processor time of verifying the blocks of one RandomX seed: in light mode, and with a dataset that is computed for them.
// Other processes change processor time too, so light mode is measured before and after the dataset.
//
//   npm run bench -- pow-epoch [--hashes 100] [--blocks 2048] [--whole]
//
// With --whole all blocks are hashed in both modes; otherwise as many as --hashes says, and the rest is calculated.
import { parseArgs } from 'node:util';
import { NativeRandomxHasher } from '../packages/pow/dist/native/hasher.js';
import { requireRandomxAddon } from '../packages/pow/dist/native/addon.js';
import { machineText, warnWhenBusy } from './machine.mjs';

const SEED = Buffer.from('test key 000');
const THREADS = 2;
const HOUR = 3_600_000;

/**
 * Returns the seconds of processor time that a task takes, of all threads.
 *
 * @param {() => Promise<unknown>} task
 */
async function processorTime(task) {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** @param {string} name @param {string} text */
function wholeNumber(name, text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 2) throw new Error(`--${name} needs a whole number`);
  return number;
}

/** @param {string[]} args */
export async function powEpoch(args) {
  const { values } = parseArgs({
    args,
    options: {
      hashes: { type: 'string', default: '100' },
      blocks: { type: 'string', default: '2048' },
      whole: { type: 'boolean', default: false },
    },
  });
  const blocks = wholeNumber('blocks', values.blocks);
  const count = values.whole ? blocks : wholeNumber('hashes', values.hashes);
  const addon = requireRandomxAddon();
  const hasher = new NativeRandomxHasher(addon, THREADS, {
    dataset: { use: 'always', threads: THREADS, longestWait: HOUR, onEvent: console.log },
  });
  let blob = 0;
  /** @param {number} hashes */
  const hash = (hashes) =>
    Promise.all(
      Array.from({ length: hashes }, () =>
        hasher.hash({ kind: 'randomx', seedHash: SEED, blob: Buffer.alloc(76, `${blob++} `) }),
      ),
    );
  try {
    await hash(THREADS);
    const half = Math.ceil(count / 2);
    let light = await processorTime(() => hash(half));
    const dataset = await processorTime(async () => {
      hasher.expect(SEED, 2 ** 20);
      await hasher.ready(SEED);
      await hash(1);
    });
    const fast = (await processorTime(() => hash(count))) / count;
    hasher.expect(SEED, 0);
    light += await processorTime(() => hash(half));
    light /= 2 * half;
    const [inLight, inFast] = [light * blocks, dataset + fast * blocks];
    console.log(`\n${machineText()}; vector code: ${addon.itemPaths()[0] ?? 'none'}\n`);
    console.table({
      'light mode': { 'ms a hash': light * 1e3, 'preparation, s': 0, 'all, s': inLight },
      dataset: { 'ms a hash': fast * 1e3, 'preparation, s': dataset, 'all, s': inFast },
    });
    console.log(`${blocks} blocks of one seed: ${(inLight / inFast).toFixed(2)} times less`);
    console.log(`a dataset pays from ${Math.ceil(dataset / (light - fast))} blocks on`);
  } finally {
    await hasher.close();
  }
  warnWhenBusy();
}
