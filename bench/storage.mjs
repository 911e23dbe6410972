// Measures the store as it grows: appends synthetic blocks (no signatures) until there are --outputs outputs and
// as many key images, and prints the costs on the way.
//
//   npm run bench -- storage [--outputs 10000000] [--blocks-per-commit 100] [--dir DIR] [--out FILE]
//
// A span of the synchronization holds at most 100 blocks of this size. With growth of n log n, each output from 1 to 3
// million would cost 1.12 times as much as an earlier one, and each from 3 to 10 million 1.20 times.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLmdbStore, recordOf } from '@monero-node/storage';

/** @import { LooseBlock, CopyableStore } from '@monero-node/storage' */
/**
 * What the commits took, and how many blocks they appended.
 *
 * @typedef {{ seconds: number, cpuSeconds: number, blocks: number }} Spent
 */

const TXS_PER_BLOCK = 50;
const OUTPUTS_PER_TX = 2;
/** Sizes in bytes of the base and the prunable part of a typical transaction with two inputs and two outputs. */
const PRUNED_BYTES = 420;
const PRUNABLE_BYTES = 1080;
const READS = 20_000;

/**
 * Returns 32 bytes that look random and are the same in every run.
 *
 * @param {string} kind
 * @param {number} number
 */
const bytesOf = (kind, number) => createHash('sha256').update(`${kind} ${number}`).digest();

const filler = Buffer.alloc(PRUNABLE_BYTES, 0xa5);

/** @param {number} number */
function makeTx(number) {
  const id = bytesOf('tx', number);
  const outputs = Array.from({ length: OUTPUTS_PER_TX }, (_, i) => ({
    amount: 0n,
    key: bytesOf('key', number * OUTPUTS_PER_TX + i),
    commitment: id,
    unlockTime: 0n,
  }));
  const keyImages = Array.from({ length: OUTPUTS_PER_TX }, (_, i) =>
    bytesOf('image', number * OUTPUTS_PER_TX + i),
  );
  const tx = {
    id,
    pruned: filler.subarray(0, PRUNED_BYTES),
    prunable: filler,
    prunableHash: id,
  };
  return { tx, outputs, keyImages };
}

/**
 * @param {number} height
 * @returns {LooseBlock}
 */
function makeBlock(height) {
  const txs = Array.from({ length: TXS_PER_BLOCK }, (_, i) => makeTx(height * TXS_PER_BLOCK + i));
  return {
    meta: {
      height,
      id: bytesOf('block', height),
      timestamp: 1_700_000_000 + 120 * height,
      weight: 100_000,
      longTermWeight: 100_000,
      cumulativeDifficulty: BigInt(height + 1) * 300_000_000_000n,
      generatedCoins: BigInt(height + 1) * 600_000_000_000n,
      cumulativeTxCount: (height + 1) * (TXS_PER_BLOCK - 1),
      cumulativeRctOutputs: (height + 1) * TXS_PER_BLOCK * OUTPUTS_PER_TX,
      majorVersion: 16,
      minorVersion: 16,
    },
    blob: filler.subarray(0, 300),
    txs: txs.map(({ tx }) => tx),
    outputs: txs.map(({ outputs }) => outputs),
    keyImages: txs.flatMap(({ keyImages }) => keyImages),
  };
}

/**
 * Returns the milliseconds per call of `read` at random positions below `limit`.
 *
 * @param {(at: number) => unknown} read
 * @param {number} limit
 */
function timeReads(read, limit) {
  const began = performance.now();
  for (let i = 0; i < READS; i++) read(Math.floor(Math.random() * limit));
  return (performance.now() - began) / READS;
}

/**
 * @param {CopyableStore} store
 * @param {string} dir
 * @param {number} written blocks so far
 * @param {Spent} spent on the last of them
 */
function measure(store, dir, written, spent) {
  const outputs = written * TXS_PER_BLOCK * OUTPUTS_PER_TX;
  const disk = statSync(join(dir, 'data.mdb'), { throwIfNoEntry: false })?.size ?? store.sizeOnDisk;
  return {
    outputs,
    blocksPerSecond: spent.blocks / spent.seconds,
    outputsPerSecond: (spent.blocks * TXS_PER_BLOCK * OUTPUTS_PER_TX) / spent.seconds,
    cpuMicrosPerOutput: (1e6 * spent.cpuSeconds) / (spent.blocks * TXS_PER_BLOCK * OUTPUTS_PER_TX),
    bytesPerOutput: (disk - written * TXS_PER_BLOCK * (PRUNED_BYTES + PRUNABLE_BYTES)) / outputs,
    diskMiB: disk / 2 ** 20,
    residentMiB: process.memoryUsage().rss / 2 ** 20,
    heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
    readOutputMicros: 1000 * timeReads((at) => store.output(0n, at), outputs),
    readKeyImageMicros:
      1000 * timeReads((at) => store.keyImageHeight(bytesOf('image', at)), outputs),
  };
}

/** @type {readonly [keyof ReturnType<typeof measure>, string, number][]} */
const COLUMNS = [
  ['outputs', 'outputs', 0],
  ['blocksPerSecond', 'blocks/s', 0],
  ['outputsPerSecond', 'outputs/s', 0],
  ['cpuMicrosPerOutput', 'CPU µs/output', 1],
  ['bytesPerOutput', 'bytes/output', 0],
  ['diskMiB', 'disk MiB', 0],
  ['residentMiB', 'RSS MiB', 0],
  ['heapMiB', 'heap MiB', 0],
  ['readOutputMicros', 'output µs', 1],
  ['readKeyImageMicros', 'key image µs', 1],
];
const WIDTH = 15;

/**
 * Appends blocks until there are `outputs` outputs. Returns the duration of the commits in wall-clock time and in
 * processor time of all threads, including LMDB's writer; other work on the machine affects the latter less.
 *
 * @param {CopyableStore} store
 * @param {number} from height
 * @param {number} to height
 * @param {number} perCommit
 * @returns {Promise<Spent>}
 */
async function grow(store, from, to, perCommit) {
  let seconds = 0;
  let cpuSeconds = 0;
  for (let height = from; height < to; height += perCommit) {
    const end = Math.min(to, height + perCommit);
    const append = Array.from({ length: end - height }, (_, i) => recordOf(makeBlock(height + i)));
    const began = performance.now();
    const cpu = process.cpuUsage();
    await store.commit({ append });
    seconds += (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    cpuSeconds += (user + system) / 1e6;
  }
  return { seconds, cpuSeconds, blocks: to - from };
}

/** @param {string[]} args */
export async function storage(args) {
  const { values } = parseArgs({
    args,
    options: {
      outputs: { type: 'string', default: '10000000' },
      'blocks-per-commit': { type: 'string', default: '100' },
      dir: { type: 'string', default: tmpdir() },
      out: { type: 'string', default: 'bench-storage.json' },
    },
  });
  const most = Number(values.outputs);
  const perCommit = Number(values['blocks-per-commit']);
  if (!Number.isSafeInteger(most) || most < 1000) throw new Error('--outputs N, at least 1000');
  if (!Number.isSafeInteger(perCommit) || perCommit < 1) throw new Error('--blocks-per-commit N');
  const dir = mkdtempSync(join(values.dir, 'monero-node-storage-'));
  let store = await openLmdbStore({ path: dir, syncMode: 'fast' });
  try {
    console.log(COLUMNS.map(([, label]) => label.padStart(WIDTH)).join(''));
    /** @type {ReturnType<typeof measure>[]} */
    const rows = [];
    let height = 0;
    for (const part of [0.1, 0.3, 1]) {
      const target = Math.ceil((most * part) / (TXS_PER_BLOCK * OUTPUTS_PER_TX));
      const spent = await grow(store, height, target, perCommit);
      height = target;
      const row = measure(store, dir, height, spent);
      rows.push(row);
      console.log(
        COLUMNS.map(([key, , digits]) => row[key].toFixed(digits).padStart(WIDTH)).join(''),
      );
    }
    console.log(
      'blocks/s, outputs/s and CPU µs/output: of the commits since the row above; bytes/output: without the bytes of the transactions themselves',
    );
    await store.close();
    const began = performance.now();
    store = await openLmdbStore({ path: dir, syncMode: 'fast' });
    const openSeconds = (performance.now() - began) / 1000;
    console.log(`opening it again: ${openSeconds.toFixed(2)} s`);
    const result = {
      date: new Date().toISOString(),
      transactionsPerBlock: TXS_PER_BLOCK,
      perCommit,
      openSeconds,
      rows,
    };
    writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
