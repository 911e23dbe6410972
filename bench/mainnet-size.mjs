// Measures the store with a synthetic chain of mainnet's shape, at a part of its size.
//
//   npm run bench -- mainnet-size [--share 0.1] [--full] [--dir DIR] [--out FILE]
//
// --share: part of mainnet's blocks and transactions, era by era. --full: transactions with all their prunable bytes;
// by default an eighth of them, as a pruned node. The costs are measured at 10 million outputs (or at half of the chain,
// if it is smaller) and at the end, with blocks as they are today. The ratio of the two is printed last. Needs 0.5 GB of
// disk per million outputs, 1.1 with --full, and root to empty the page cache for the cold reads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLmdbStore, recordOf } from '@monero-node/storage';
import { warnWhenBusy } from './machine.mjs';
import { SyntheticChain } from './mainnet-size/chain.mjs';
import { ERAS } from './mainnet-size/eras.mjs';
import { measure, residentMiB, timed } from './mainnet-size/probes.mjs';
import { present } from './values.mjs';

/**
 * @import { LooseBlock, CopyableStore } from '@monero-node/storage'
 * @import { Era } from './mainnet-size/eras.mjs'
 * @import { Reopening, Row } from './mainnet-size/probes.mjs'
 */
/**
 * The rest of an era: how its next block is made, and how many are left.
 *
 * @typedef {{ era: Era, next: () => LooseBlock, left: number }} Part
 */

const BLOCKS_PER_COMMIT = 100;
const FIRST_PROBE = 10_000_000;

/** @type {readonly [Exclude<keyof Row, 'cold'>, string, number][]} */
const ROWS = [
  ['height', 'blocks', 0],
  ['txs', 'transactions', 0],
  ['outputs', 'outputs', 0],
  ['keyImages', 'key images', 0],
  ['blocksPerSecond', 'blocks/s, 100 a commit', 0],
  ['wallMicrosPerOutput', 'commit, us per output', 2],
  ['cpuMicrosPerOutput', 'commit, us CPU per output', 2],
  ['writtenPerOutput', 'bytes written per output', 0],
  ['lookUpMedianMs', 'look-ups before it, ms', 2],
  ['lookUpCpuMs', 'look-ups before it, ms CPU', 2],
  ['tipMedianMs', 'block of 100 tx, median ms', 2],
  ['tipMeanMs', 'block of 100 tx, mean ms', 2],
  ['tipMostMs', 'the slowest of 400, ms', 2],
  ['tipCpuMs', 'block of 100 tx, mean ms CPU', 2],
  ['reorganizeMs', 'reorganize 10 blocks, ms', 1],
  ['pruneMs', 'prune 100 blocks, ms', 1],
  ['openSeconds', 'open, s', 2],
  ['diskMicros', 'random read of the disk, us', 0],
  ['coldRing', 'ring of 16, cold, us', 0],
  ['warmRing', 'ring of 16, warm, us', 0],
  ['blockOneByOneMs', 'look-ups of a block, cold, ms', 0],
  ['blockAheadMs', 'the same, read ahead, ms', 0],
  ['blockHeldMs', 'of these on the main thread, ms', 1],
  ['spentMicros', 'spent key image, cold, us', 1],
  ['unspentMicros', 'unspent key image, cold, us', 1],
  ['againMicros', 'key image, warm, us', 1],
  ['residentMiB', 'resident without the map, MiB', 0],
  ['heapMiB', 'heap, MiB', 0],
  ['diskBytes', 'bytes on disk', 0],
];

/**
 * The costs of which the ratio at both sizes is printed.
 *
 * @type {readonly Exclude<keyof Row, 'cold'>[]}
 */
const COMPARED = [
  'wallMicrosPerOutput',
  'cpuMicrosPerOutput',
  'tipMedianMs',
  'tipMeanMs',
  'tipCpuMs',
];

/**
 * Appends the blocks of an era until it ends or `enough()` holds.
 *
 * @param {CopyableStore} store
 * @param {Part} part
 * @param {() => boolean} enough
 * @returns {Promise<Part>}
 */
async function grow(store, { era, next, left }, enough) {
  while (left > 0 && !enough()) {
    const count = Math.min(left, BLOCKS_PER_COMMIT);
    await store.commit({ append: Array.from({ length: count }, next).map(recordOf) });
    left -= count;
  }
  return { era, next, left };
}

/** @param {readonly Row[]} rows */
function print(rows) {
  for (const [key, label, digits] of ROWS)
    console.log(
      label.padEnd(32) + rows.map((row) => row[key].toFixed(digits).padStart(16)).join(''),
    );
}

/** @param {string[]} args */
export async function mainnetSize(args) {
  const { values } = parseArgs({
    args,
    options: {
      share: { type: 'string', default: '0.1' },
      full: { type: 'boolean', default: false },
      dir: { type: 'string', default: tmpdir() },
      out: { type: 'string', default: 'bench-mainnet-size.json' },
    },
  });
  const share = Number(values.share);
  if (!(share >= 0.001 && share <= 1)) throw new Error('--share from 0.001 to 1');
  const path = mkdtempSync(join(values.dir, 'monero-node-mainnet-'));
  const chain = new SyntheticChain({ pruned: !values.full });
  /** @type {Row[]} */
  const rows = [];
  let store = await openLmdbStore({ path });
  /** @param {Reopening} how */
  const reopen = async ({ meanwhile, memoryBytes, report }) => {
    await store.close();
    meanwhile?.();
    const options = { path, ...(memoryBytes !== undefined && { memoryBytes }) };
    const { seconds } = await timed(async () => (store = await openLmdbStore(options)));
    report?.(seconds);
    return store;
  };
  const probe = async () => {
    const { row } = await measure({ store, chain, file: join(path, 'data.mdb'), reopen });
    rows.push(row);
    print([row]);
  };
  const outputs = share * ERAS.reduce((sum, era) => sum + era.txs * era.outputs, 0);
  const firstProbe = Math.min(FIRST_PROBE, outputs / 2);
  try {
    for (const era of ERAS) {
      /** @type {Part} */
      let part = { era, next: chain.maker(era), left: Math.round(share * era.blocks) };
      const isFirst = () => rows.length === 0 && chain.totals.outputs >= firstProbe;
      while (part.left > 0) {
        const begin = { ...chain.totals };
        const cost = await timed(async () => {
          part = await grow(store, part, isFirst);
        });
        const made = chain.totals.outputs - begin.outputs;
        console.log(
          `${era.name}: ${chain.height} blocks, ${chain.totals.outputs} outputs, ${cost.seconds.toFixed(0)} s, ${((1e6 * cost.cpu) / made).toFixed(1)} us CPU per output with making it, ${residentMiB().toFixed(0)} MiB resident`,
        );
        if (isFirst()) await probe();
      }
    }
    await probe();
    const [first, last] = [present(rows[0]), present(rows[1])];
    console.log('\nboth sizes:');
    print(rows);
    for (const key of COMPARED)
      console.log(`ratio of ${key}: ${(last[key] / first[key]).toFixed(2)}`);
    if (!last.cold) console.log('the page cache could not be emptied: the cold reads are warm');
    warnWhenBusy();
    const result = { date: new Date().toISOString(), share, full: values.full, rows };
    writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await store.close();
    rmSync(path, { recursive: true, force: true });
  }
}
