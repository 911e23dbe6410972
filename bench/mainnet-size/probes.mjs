// The measurements at one size of the chain.
import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { recordOf } from '@monero-node/storage';
import { TODAY } from './eras.mjs';
import { median } from '../statistics.mjs';

/**
 * @import { LooseBlock, CopyableStore } from '@monero-node/storage'
 * @import { SyntheticChain } from './chain.mjs'
 */
/**
 * How a store is opened again, and what happens while it is closed; `report` gets the seconds that opening took.
 *
 * @typedef {{ meanwhile?: () => unknown, memoryBytes?: number, report?: (seconds: number) => void }} Reopening
 */
/**
 * What is measured, and with what: the file of the store, and a function that closes the store and returns it opened again.
 *
 * @typedef {object} Subject
 * @property {CopyableStore} store
 * @property {SyntheticChain} chain
 * @property {string} file
 * @property {(how: Reopening) => Promise<CopyableStore>} reopen
 */
/**
 * What something took.
 *
 * @typedef {Awaited<ReturnType<typeof timed>>} Cost
 */
/**
 * The figures at one size of the chain.
 *
 * @typedef {Awaited<ReturnType<typeof measure>>['row']} Row
 */

const BULK_COMMITS = 60;
const BLOCKS_PER_COMMIT = 100;
/** Most commits write few pages; one in about thirteen writes hashes to their tables too. */
const TIP_BLOCKS = 400;
const TIP_TXS = 100;
const RING = 16;
const RINGS = 200;
const REORGANIZED = 10;
const PRUNED = 100;
const PAGE = 4096;
const COLD_BLOCKS = 40;

/** @param {readonly number[]} values */
const most = (values) => values.reduce((greatest, value) => Math.max(greatest, value), 0);

/** Returns the bytes that this process has written to files. */
function writtenBytes() {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);
}

/** Returns the resident memory without the mapped file, in MiB. */
export function residentMiB() {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) / 1024;
}

/**
 * Runs `task`. Returns the seconds, and the seconds of CPU of all threads, that it took.
 *
 * @param {() => unknown} task
 */
export async function timed(task) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - began) / 1000, cpu: (user + system) / 1e6 };
}

/**
 * Looks up the ids and key images of new blocks, as their verification does before they are stored.
 *
 * @param {CopyableStore} store
 * @param {readonly LooseBlock[]} blocks
 */
function lookUp(store, blocks) {
  for (const { txs, keyImages } of blocks) {
    for (const { id } of txs) store.txLocation(id);
    for (const image of keyImages) store.keyImageHeight(image);
  }
}

/**
 * Appends spans as a synchronization does. Returns the costs per output.
 *
 * @param {CopyableStore} store
 * @param {SyntheticChain} chain
 */
async function bulk(store, chain) {
  const next = chain.maker(TODAY);
  const before = chain.totals.outputs;
  const bytes = writtenBytes();
  let [seconds, cpu] = [0, 0];
  for (let i = 0; i < BULK_COMMITS; i++) {
    const append = Array.from({ length: BLOCKS_PER_COMMIT }, next).map(recordOf);
    const cost = await timed(() => store.commit({ append }));
    seconds += cost.seconds;
    cpu += cost.cpu;
  }
  const outputs = chain.totals.outputs - before;
  return {
    blocksPerSecond: (BULK_COMMITS * BLOCKS_PER_COMMIT) / seconds,
    wallMicrosPerOutput: (1e6 * seconds) / outputs,
    cpuMicrosPerOutput: (1e6 * cpu) / outputs,
    writtenPerOutput: (writtenBytes() - bytes) / outputs,
  };
}

/**
 * Appends single blocks of many transactions. Returns the milliseconds of a commit, and of the look-ups before it.
 *
 * @param {CopyableStore} store
 * @param {SyntheticChain} chain
 */
async function tip(store, chain) {
  const next = chain.maker({ ...TODAY, blocks: 1, txs: TIP_TXS });
  /** @type {Cost[]} */
  const costs = [];
  /** @type {Cost[]} */
  const lookUps = [];
  for (let i = 0; i < TIP_BLOCKS; i++) {
    const block = next();
    const append = [recordOf(block)];
    lookUps.push(await timed(() => lookUp(store, [block])));
    costs.push(await timed(() => store.commit({ append })));
  }
  /** @param {readonly Cost[]} all */
  const millis = (all) => all.map(({ seconds }) => 1000 * seconds);
  /** @param {readonly number[]} values */
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  /** @param {readonly Cost[]} all */
  const meanCpu = (all) => 1000 * mean(all.map(({ cpu }) => cpu));
  return {
    lookUpMedianMs: median(millis(lookUps)),
    lookUpCpuMs: meanCpu(lookUps),
    tipMedianMs: median(millis(costs)),
    tipMeanMs: mean(millis(costs)),
    tipMostMs: most(millis(costs)),
    tipCpuMs: meanCpu(costs),
  };
}

/**
 * Replaces the newest blocks in one commit. Returns its milliseconds.
 *
 * @param {CopyableStore} store
 * @param {SyntheticChain} chain
 */
async function reorganize(store, chain) {
  const next = chain.maker({ ...TODAY, blocks: 1, txs: TIP_TXS });
  const place = { height: chain.height, totals: { ...chain.totals } };
  await store.commit({ append: Array.from({ length: REORGANIZED }, next).map(recordOf) });
  chain.backTo(place);
  const append = Array.from({ length: REORGANIZED }, next).map(recordOf);
  const { seconds } = await timed(() => store.commit({ popTo: place.height, append }));
  return { reorganizeMs: 1000 * seconds };
}

/**
 * Drops the prunable parts of blocks. Returns the milliseconds.
 *
 * @param {CopyableStore} store
 * @param {SyntheticChain} chain
 */
async function prune(store, chain) {
  const from = Math.floor(chain.height / 2);
  const heights = Array.from({ length: PRUNED }, (_, i) => from + i);
  const { seconds } = await timed(() => store.commit({ prune: heights }));
  return { pruneMs: 1000 * seconds };
}

/**
 * @param {CopyableStore} store
 * @param {number} count of outputs
 */
function ringMicros(store, count) {
  const micros = Array.from({ length: RINGS }, () => {
    const ring = Array.from({ length: RING }, () => Math.floor(Math.random() * count));
    const began = performance.now();
    for (const index of ring) store.output(0n, index);
    return 1000 * (performance.now() - began);
  });
  return median(micros);
}

/**
 * Returns the median microseconds of looking up a key image: spent and unspent ones for the first time, then again.
 *
 * @param {CopyableStore} store
 * @param {SyntheticChain} chain
 */
function keyImageMicros(store, chain) {
  /** @param {readonly Uint8Array[]} images */
  const time = (images) =>
    median(
      images.map((image) => {
        const began = performance.now();
        store.keyImageHeight(image);
        return 1000 * (performance.now() - began);
      }),
    );
  const numbers = Array.from({ length: 2000 }, () =>
    Math.floor(Math.random() * chain.totals.keyImages),
  );
  const spent = numbers.map((number) => Buffer.from(chain.keyImage(number)));
  const other = spent.map((image) => Buffer.from(image.toReversed()));
  return { spentMicros: time(spent), unspentMicros: time(other), againMicros: time(spent) };
}

/**
 * Returns the median milliseconds of all look-ups that checking a block takes, its ring members included: one by one, and
 * read ahead. The blocks are not stored.
 *
 * @param {CopyableStore} store
 * @param {SyntheticChain} chain
 */
async function blockLookUps(store, chain) {
  const place = { height: chain.height, totals: { ...chain.totals } };
  const next = chain.maker({ ...TODAY, blocks: 1, txs: TIP_TXS });
  /** @type {Record<'oneByOne' | 'ahead', number[]>} */
  const millis = { oneByOne: [], ahead: [] };
  /** @type {number[]} */
  const ahead = [];
  for (let i = 0; i < COLD_BLOCKS; i++) {
    const block = next();
    const members = Array.from({ length: RING * block.keyImages.length }, () =>
      Math.floor(Math.random() * place.totals.rctOutputs),
    );
    const isAhead = i % 2 === 1;
    const { seconds } = await timed(async () => {
      if (isAhead) {
        const { seconds } = await timed(() =>
          store.prefetch(() => ({
            txIds: block.txs.map(({ id }) => id),
            keyImages: block.keyImages,
            outputs: new Map([[0n, members]]),
          })),
        );
        ahead.push(1000 * seconds);
      }
      lookUp(store, [block]);
      for (const index of members) store.output(0n, index);
    });
    millis[isAhead ? 'ahead' : 'oneByOne'].push(1000 * seconds);
  }
  chain.backTo(place);
  const aheadMs = median(millis.ahead);
  return {
    blockOneByOneMs: median(millis.oneByOne),
    blockAheadMs: aheadMs,
    blockHeldMs: aheadMs - median(ahead),
  };
}

/** Empties the system's page cache. Returns whether that was allowed. */
function dropCaches() {
  try {
    execFileSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the median microseconds of reading a page of the file at random.
 *
 * @param {string} file
 */
function diskReadMicros(file) {
  const descriptor = openSync(file, 'r');
  const pages = Math.floor(fstatSync(descriptor).size / PAGE);
  const page = Buffer.alloc(PAGE);
  const micros = Array.from({ length: RINGS }, () => {
    const began = performance.now();
    readSync(descriptor, page, 0, PAGE, PAGE * Math.floor(Math.random() * pages));
    return 1000 * (performance.now() - began);
  });
  closeSync(descriptor);
  return median(micros);
}

/**
 * Measures everything at the present size.
 *
 * @param {Subject} subject
 */
export async function measure({ store, chain, file, reopen }) {
  const sizes = { ...chain.totals, height: chain.height };
  const appended = { ...(await bulk(store, chain)), ...(await tip(store, chain)) };
  const changed = { ...(await reorganize(store, chain)), ...(await prune(store, chain)) };
  let cold = false;
  let diskMicros = 0;
  let openSeconds = 0;
  const opened = await reopen({
    meanwhile: () => {
      cold = dropCaches();
      diskMicros = diskReadMicros(file);
      dropCaches();
    },
    report: (seconds) => (openSeconds = seconds),
  });
  const reads = {
    coldRing: ringMicros(opened, sizes.rctOutputs),
    warmRing: ringMicros(opened, Math.min(sizes.rctOutputs, 50_000)),
    ...keyImageMicros(opened, chain),
  };
  // Small stores read nothing ahead unless they believe that there is no memory.
  const readsAhead = await reopen({ meanwhile: dropCaches, memoryBytes: 0 });
  const cost = await blockLookUps(readsAhead, chain);
  const again = await reopen({});
  return {
    store: again,
    row: {
      ...sizes,
      ...appended,
      ...changed,
      openSeconds,
      cold,
      diskMicros,
      ...reads,
      ...cost,
      residentMiB: residentMiB(),
      heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
      diskBytes: again.sizeOnDisk,
    },
  };
}
