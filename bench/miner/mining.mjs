// Measures the hash rate of a daemon's built-in miner in fast mode.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADDRESS } from '../nodes.mjs';
import { cpuSeconds, waitFor } from '../programs.mjs';

/** @import { Daemon } from '../nodes.mjs' */

/** Size of a dataset and its cache in KiB. The memory of a process grows only while they are computed. */
const FAST_MODE = (2080 + 200) * 1024;
const STILL = 1024;
/** Milliseconds between two samples, less than the two seconds at which both daemons measure their speed. */
const SAMPLE_INTERVAL = 250;
/** Milliseconds until a measurement has ended that began before the dataset was complete. */
const SETTLE = 5000;
const PREPARATION_LIMIT = 400_000;

/**
 * Returns the memory of a process in KiB. Reserved huge pages do not count as resident, so they are added.
 *
 * @param {number} pid
 */
function memoryKib(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  /** @param {string} field */
  const kibOf = (field) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return kibOf('VmRSS') + kibOf('HugetlbPages');
}

/**
 * Waits until the miner uses the complete dataset.
 *
 * @param {Daemon} node
 */
async function untilFast(node) {
  let before = 0;
  await waitFor(
    node.program,
    'a dataset',
    async () => {
      await sleep(2000);
      const now = memoryKib(node.program.pid);
      const isStill = now - before < STILL;
      before = now;
      const { speed } = await node.rpc.path('/mining_status');
      return now > FAST_MODE && isStill && speed > 0;
    },
    PREPARATION_LIMIT,
  );
  await sleep(SETTLE);
}

/** @param {Daemon} node */
const isIdle = async (node) => (await node.rpc.path('/mining_status')).active === false;

/**
 * Returns hashes per second reported by mining_status, and per second of processor time.
 *
 * @param {Daemon} node
 * @param {number} threads
 * @param {number} seconds
 */
export async function measureMining(node, threads, seconds) {
  const answer = await node.rpc.path('/start_mining', {
    miner_address: ADDRESS,
    threads_count: threads,
    do_background_mining: false,
    ignore_battery: true,
  });
  if (answer.status !== 'OK') throw new Error(`${node.name}: start_mining: ${answer.status}`);
  await untilFast(node);
  const cpu = cpuSeconds(node.program.pid);
  const begin = performance.now();
  /** @type {number[]} */
  const speeds = [];
  while (performance.now() - begin < seconds * 1000) {
    await sleep(SAMPLE_INTERVAL);
    speeds.push((await node.rpc.path('/mining_status')).speed);
  }
  const used = cpuSeconds(node.program.pid) - cpu;
  const elapsed = (performance.now() - begin) / 1000;
  await node.rpc.path('/stop_mining');
  await waitFor(node.program, 'an end of mining', () => isIdle(node));
  const perSecond = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  return { perSecond, perCpuSecond: (perSecond * elapsed) / used };
}
