// Rehearses a first synchronization: a node of ours gets a long chain of mainnet's later shape from two other nodes of ours over loopback,
// trusts a list of its block hashes, is killed again and again, and must be equal at the end.
//
//   npm run bench -- rehearsal [--blocks 20480] [--transactions 10] [--kills 5] [--seed TEXT] [--out FILE] [-- DAEMON FLAGS]
//
// --blocks is rounded up to whole groups of 512, which is what a list covers; --transactions is for each block on average. The chain that
// the design asks for has 200,704 blocks with 10 transactions each: it takes about 6 GB in TMPDIR for each of the three nodes, and as much
// for the file. The kills are spread evenly over the chain. Rates are of the time in which the node adds blocks: neither its start nor what
// it needs to find its peers again is part of them. The command fails when the chains differ in a byte of a block, a transaction, a prunable
// part or an output; a prunable part that the node has dropped, as --prune-blockchain tells it to, is not compared. The flags after --
// are for the node that synchronizes.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { describeMachine, machineText, warnWhenBusy } from './machine.mjs';
import { startDaemon } from './nodes.mjs';
import { cpuSeconds, withPrograms } from './programs.mjs';
import { compareChains } from './rehearsal/compare-chains.mjs';
import { writeChain } from './rehearsal/generated-chain.mjs';
import { partsOf } from './rehearsal/parts.mjs';
import { threadCpu } from './sync/thread-cpu.mjs';
import { present } from './values.mjs';

/**
 * @import { Daemon } from './nodes.mjs'
 * @import { Start } from './programs.mjs'
 * @import { Part, Sample } from './rehearsal/parts.mjs'
 */
/**
 * The chain: transactionsBelow: how many are in the blocks below each height.
 *
 * @typedef {{ blocks: number, transactionsBelow: readonly number[], hashes: string, sources: readonly [Daemon, Daemon] }} Chain
 */

const OUR_TOOL = fileURLToPath(new URL('../apps/daemon/dist/chain-tool.js', import.meta.url));
/** Blocks that a group of trusted hashes covers. */
const GROUP = 512;
const POLL_MS = 200;
const NO_PROGRESS_MS = 300_000;
const MIB = 1024 * 1024;

/** @param {string[]} args */
function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      blocks: { type: 'string', default: '20480' },
      transactions: { type: 'string', default: '10' },
      kills: { type: 'string', default: '5' },
      seed: { type: 'string', default: 'rehearsal' },
      out: { type: 'string', default: 'bench-rehearsal.json' },
    },
  });
  const blocks = Math.ceil(Number(values.blocks) / GROUP) * GROUP;
  const [transactions, kills] = [Number(values.transactions), Number(values.kills)];
  if (!(blocks > 0 && transactions > 0 && Number.isSafeInteger(kills) && kills >= 0))
    throw new Error('usage: rehearsal [--blocks N] [--transactions N] [--kills N] [--seed TEXT]');
  const { seed, out } = values;
  return { blocks, transactions, kills, seed, out, flags: positionals };
}

/**
 * Runs our chain tool on a data directory. Throws Error with what it wrote when it fails.
 *
 * @param {string} dataDir
 * @param {string} command
 * @param {...string} args
 */
async function chainTool(dataDir, command, ...args) {
  const network = ['--regtest', '--fixed-difficulty', '1', '--data-dir', dataDir];
  await promisify(execFile)(process.execPath, [OUR_TOOL, command, ...network, ...args], {
    maxBuffer: 16 * MIB,
  });
}

/**
 * Makes the chain, and starts two nodes that have it.
 *
 * @param {Start} start
 * @param {string} dir
 * @param {Omit<ReturnType<typeof readOptions>, 'out'>} options
 * @returns {Promise<Chain>}
 */
async function prepare(start, dir, { blocks, transactions, seed }) {
  const [file, hashes] = [join(dir, 'chain.raw'), join(dir, 'hashes.dat')];
  const dirs = /** @type {const} */ ([join(dir, 'source-1'), join(dir, 'source-2')]);
  console.log('making the chain ...');
  const transactionsBelow = await writeChain(file, { blocks, transactions, seed });
  // All figures are for each of them.
  if (transactionsBelow.at(-1) === 0) throw new Error('a chain without transactions: ask for more');
  mkdirSync(dirs[0]);
  await chainTool(dirs[0], 'import', '--input-file', file, '--dangerous-unverified-import');
  await chainTool(dirs[0], 'block-hashes', '--output-file', hashes);
  rmSync(file);
  cpSync(dirs[0], dirs[1], { recursive: true });
  /** @param {string} dataDir */
  const source = (dataDir) =>
    startDaemon(start, { name: dataDir.slice(dir.length + 1), ours: true, quiet: true, dataDir });
  const sources = /** @type {const} */ ([await source(dirs[0]), await source(dirs[1])]);
  for (const { name, info } of sources) {
    const { height } = await info();
    if (height !== blocks) throw new Error(`${name} has ${height} blocks and not ${blocks}`);
  }
  return { blocks, transactionsBelow, hashes, sources };
}

/**
 * Returns the bytes of memory of a process, without those of mapped files.
 *
 * @param {number} pid
 */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  /** @param {string} name */
  const field = (name) =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return field('RssAnon') + field('RssShmem');
}

/**
 * Samples a node until it has a number of blocks. Returns one sample for each height seen.
 *
 * @param {Daemon} node
 * @param {number} target
 */
async function watch(node, target) {
  /** @type {Sample[]} */
  const samples = [];
  let since = performance.now();
  for (;;) {
    if (!node.program.alive) throw new Error(`${node.name} ended:\n${node.program.output()}`);
    const { pid } = node.program;
    const { count: height } = await node.rpc.call('get_block_count');
    const time = performance.now() / 1000;
    const { user, system } = present(threadCpu(pid).JavaScript);
    if (height !== samples.at(-1)?.height) {
      since = performance.now();
      const [cpu, memory] = [cpuSeconds(pid), memoryOf(pid)];
      samples.push({ height, time, cpu, memory, mainCpu: user + system });
    }
    if (height >= target) return samples;
    if (performance.now() - since > NO_PROGRESS_MS)
      throw new Error(`${node.name} is stuck at height ${height}`);
    await sleep(POLL_MS);
  }
}

/**
 * Returns what must be equal on two nodes.
 *
 * @param {Daemon} node
 */
async function stateOf({ rpc, info }) {
  const { height, top_block_hash, tx_count, wide_cumulative_difficulty } = await info();
  const { histogram } = await rpc.call('get_output_histogram', { amounts: [0] });
  return JSON.stringify({
    height,
    top_block_hash,
    tx_count,
    wide_cumulative_difficulty,
    histogram,
  });
}

/**
 * Synchronizes a node and kills it on the way. Returns the samples of each of its lives.
 *
 * @param {Start} start
 * @param {string} dir
 * @param {Chain} chain
 * @param {{ kills: number, flags: readonly string[] }} options
 */
async function synchronize(start, dir, { blocks, hashes, sources }, { kills, flags }) {
  const dataDir = join(dir, 'node');
  /** @type {Sample[][]} */
  const lives = [];
  for (let life = 0; life <= kills; life++) {
    const node = await startDaemon(start, {
      ...{ name: 'node', ours: true, quiet: true, dataDir, peer: sources[0].peer, hashes },
      extra: ['--add-exclusive-node', sources[1].peer, ...flags],
    });
    const isLast = life === kills;
    const samples = await watch(node, isLast ? blocks : ((life + 1) * blocks) / (kills + 1));
    lives.push(samples);
    if (isLast) {
      const [state, expected] = [await stateOf(node), await stateOf(sources[0])];
      if (state !== expected) throw new Error(`not equal at the end:\n${state}\n${expected}`);
    }
    node.rpc.close();
    if (isLast) await node.program.stop();
    else await node.program.kill();
    console.log(`${isLast ? 'ended' : 'killed'} at height ${present(samples.at(-1)).height}`);
  }
  return lives;
}

/**
 * Compares the chain that was synchronized with that of the first source, which is stopped for it. Throws Error when they differ.
 *
 * @param {string} dir
 * @param {Chain} chain
 */
async function compareStores(dir, { sources: [source] }) {
  source.rpc.close();
  await source.program.stop();
  const [own, expected] = ['node', 'source-1'].map((name) => join(dir, name, 'fake', 'chain'));
  const found = await compareChains(present(own), present(expected));
  const { blocks, transactions, prunableParts, dropped, outputs } = found;
  console.log(
    `equal at the end: ${blocks} blocks, ${transactions} transactions with ${prunableParts} prunable parts, ${outputs} outputs` +
      (dropped > 0 ? `; ${dropped} prunable parts were pruned` : ''),
  );
  return found;
}

/**
 * Prints the figures of each fifth, and the last against the first.
 *
 * @param {readonly Part[]} parts
 */
function printParts(parts) {
  if (parts.some(({ transactions, seconds }) => transactions === 0 || seconds === 0)) {
    console.log('the chain is too short for figures of its fifths: take more --blocks');
    return;
  }
  for (const { from, to, seconds, mainCpu, cpu, transactions } of parts) {
    const each = (/** @type {number} */ spent) => ((1e6 * spent) / transactions).toFixed(0);
    console.log(
      `blocks ${from} to ${to}: ${(transactions / seconds).toFixed(0)} transactions/s, ${each(mainCpu)} us of the main thread and ${each(cpu)} us in all for each`,
    );
  }
  const [first, last] = [present(parts[0]), present(parts.at(-1))];
  /** @param {'seconds' | 'cpu'} of */
  const ratio = (of) =>
    (last.transactions / last[of] / (first.transactions / first[of])).toFixed(2);
  console.log(
    `rate of the last fifth against the first: ${ratio('seconds')}, for each second of processor time ${ratio('cpu')}`,
  );
}

/** @param {string[]} args */
export async function rehearsal(args) {
  const { out, ...options } = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    await withPrograms(async (start) => {
      const chain = await prepare(start, dir, options);
      const { blocks, transactionsBelow } = chain;
      const transactions = present(transactionsBelow.at(-1));
      console.log(`synchronizing ${blocks} blocks, ${transactions} transactions ...`);
      const lives = await synchronize(start, dir, chain, options);
      const parts = partsOf(lives, transactionsBelow);
      const memory = Math.max(...lives.flat().map((sample) => sample.memory));
      printParts(parts);
      console.log(`greatest memory, without mapped files: ${(memory / MIB).toFixed(0)} MiB`);
      const equal = await compareStores(dir, chain);
      console.log(machineText());
      warnWhenBusy();
      const report = {
        date: new Date().toISOString(),
        machine: describeMachine(),
        options,
        transactions,
        memory,
        parts,
        equal,
      };
      writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
