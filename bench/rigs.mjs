// Measures what rigs cost our daemon: processor time, memory, and how soon each has its job after a new block.
//
//   npm run bench -- rigs [--rigs 200] [--seconds 60] [--blocks 15] [--json FILE] [-- DAEMON FLAGS]
//
// All rigs are in this process. Each logs in with shares of the least difficulty and sends one with a right hash every 15 seconds, as rigs do
// at the difficulty that the node would choose. Then blocks are taken away and brought again through submit_block: the times are from the call to
// the job of the first rig, of the rig in the middle and of the last one, and to the answer.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPowHasher, nonceOffset } from '@monero-node/pow';
import { machineText, warnWhenBusy } from './machine.mjs';
import { openRig } from './miner-latency/rig.mjs';
import { ADDRESS, startDaemon } from './nodes.mjs';
import { cpuSeconds, freePorts, waitFor, withPrograms } from './programs.mjs';
import { median } from './statistics.mjs';
import { present } from './values.mjs';

/** @import { Daemon } from './nodes.mjs' */
/** @typedef {Awaited<ReturnType<typeof openRig>>} Rig */
/** @typedef {{ first: number, middle: number, last: number, answer: number }} Times milliseconds */

/** Seconds between two shares of a rig. */
const SHARE_PERIOD = 15;
/** One of so many shares is a block. */
const DIFFICULTY = '200';

/** Returns the resident memory of a process, MiB. @param {number} pid */
function residentMiB(pid) {
  const [, kilobytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(kilobytes) / 1024;
}

/**
 * Sends one share of each rig in turn, evenly over the period, until stopped. Returns the number that was sent.
 *
 * @param {readonly Rig[]} all
 * @param {number} seconds
 */
async function sendShares(all, seconds) {
  const hasher = createPowHasher({ threads: 1 });
  const began = performance.now();
  let sent = 0;
  for (; performance.now() - began < seconds * 1000; sent += 1) {
    const rig = present(all[sent % all.length]);
    const job = rig.job();
    if (job === undefined) throw new Error('a rig has no job');
    const blob = Buffer.from(job.blob, 'hex');
    const at = nonceOffset(blob);
    blob.writeUInt32LE(sent, at);
    const seedHash = Buffer.from(job.seed_hash, 'hex');
    const hash = await hasher.hash({ kind: 'randomx', seedHash, blob });
    rig.submit(job, blob.toString('hex', at, at + 4), Buffer.from(hash).toString('hex'));
    const due = began + ((sent + 1) * SHARE_PERIOD * 1000) / all.length;
    await sleep(Math.max(0, due - performance.now()));
  }
  await hasher.close();
  return sent;
}

/**
 * Takes the newest block away, brings it again, and notes when each rig has the job after it.
 *
 * @param {Daemon} node
 * @param {Map<number, number[]>} jobs times of jobs by height
 * @param {number} rigs
 * @returns {Promise<Times>}
 */
async function measureBlock(node, jobs, rigs) {
  const { height } = await node.info();
  const { blob } = await node.rpc.call('get_block', { height: height - 1 });
  const isComplete = () => Promise.resolve((jobs.get(height - 1)?.length ?? 0) >= rigs);
  jobs.clear();
  await node.rpc.path('/pop_blocks', { nblocks: 1 });
  await waitFor(node.program, 'the jobs of the block below', isComplete);
  const began = performance.now();
  await node.rpc.call('submit_block', [blob]);
  const answer = performance.now() - began;
  await waitFor(node.program, 'the jobs of the block', () =>
    Promise.resolve((jobs.get(height)?.length ?? 0) >= rigs),
  );
  const times = present(jobs.get(height)).map((time) => time - began);
  times.sort((a, b) => a - b);
  return { first: present(times[0]), middle: median(times), last: present(times.at(-1)), answer };
}

/** @param {string[]} args */
export async function rigs(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rigs: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
      blocks: { type: 'string', default: '15' },
      json: { type: 'string' },
    },
  });
  const count = Number(values.rigs);
  warnWhenBusy();
  const dir = mkdtempSync(join(tmpdir(), 'bench-rigs-'));
  try {
    await withPrograms(async (start) => {
      const { port } = await freePorts('port');
      const node = await startDaemon(start, {
        name: 'monero-node',
        ours: true,
        dataDir: dir,
        offline: true,
        quiet: true,
        fixedDifficulty: DIFFICULTY,
        extra: ['--stratum-bind-port', String(port), '--stratum-address', ADDRESS, ...positionals],
      });
      const generate = { amount_of_blocks: 2, wallet_address: ADDRESS };
      await node.rpc.call('generateblocks', generate);
      const { pid } = node.program;
      const before = residentMiB(pid);
      /** @type {Map<number, number[]>} */
      const jobs = new Map();
      /** @type {Rig[]} */
      const all = [];
      for (let i = 0; i < count; i += 1) {
        const onJob = (/** @type {number} */ height) => {
          jobs.set(height, [...(jobs.get(height) ?? []), performance.now()]);
        };
        all.push(await openRig(port, onJob, `rig${i}+1`));
      }
      await waitFor(node.program, 'the first jobs', () =>
        Promise.resolve(all.every((rig) => rig.job() !== undefined)),
      );
      const used = cpuSeconds(pid);
      const began = performance.now();
      const shares = await sendShares(all, Number(values.seconds));
      const seconds = (performance.now() - began) / 1000;
      const cpu = (100 * (cpuSeconds(pid) - used)) / seconds;
      const after = residentMiB(pid);
      const answer = await node.rpc.call('get_stratum_rigs', {});
      /** @type {Times[]} */
      const samples = [];
      for (let i = 0; i < Number(values.blocks); i += 1)
        samples.push(await measureBlock(node, jobs, count));
      /** @param {keyof Times} name */
      const of = (name) => Number(median(samples.map((times) => times[name])).toFixed(1));
      const figures = {
        machine: machineText(),
        rigs: count,
        shares: {
          sent: shares,
          accepted: answer.accepted,
          refused: answer.refused,
        },
        'processor, % of one core': Number(cpu.toFixed(1)),
        'memory, MiB': { 'without rigs': Math.round(before), 'with them': Math.round(after) },
        'milliseconds from submit_block': {
          'first job': of('first'),
          'job of the middle rig': of('middle'),
          'last job': of('last'),
          answer: of('answer'),
        },
      };
      console.log(JSON.stringify(figures, undefined, 2));
      if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(figures));
      for (const rig of all) rig.close();
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
