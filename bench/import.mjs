// Imports a chain made by heavy-chain.mjs from a bootstrap file, with monero-blockchain-import and with our chain tool by
// turns, and compares.
//
//   npm run bench -- import --chain DIR [--blocks 1024] [--rounds 3] [--verify] [--cpus LIST] [--read-ahead-threads N] [--out FILE]
//
// With --cpus, both run on these processors only, such as 0 or 0-3, by taskset: how each scales. With --read-ahead-threads, ours has
// as many threads that read blocks ahead.
//
// The chain is made longer by repeating its full blocks with other key images, since no signatures are verified. Both skip proof of work and signatures (--dangerous-unverified-import). Ours is also measured with a list of trusted
// block hashes, made from the same chain, as a first synchronization of mainnet uses; monerod's is compiled into it and
// empty for regtest. With --verify both verify everything, and the chain is imported as it was recorded.
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './machine.mjs';
import { repeatBlocks } from './chain/repeat-blocks.mjs';
import { cpuSecondsOfChildren } from './programs.mjs';
import { median } from './statistics.mjs';
import { present } from './values.mjs';

/** @import { RecordedChain } from './chain/recorder.mjs' */
/**
 * What an import took: seconds by the clock and of processor time.
 *
 * @typedef {{ seconds: number, cpuSeconds: number }} Cost
 */
/**
 * A way to import, and what it took in each round.
 *
 * @typedef {{ name: string, costs: Cost[] }} Costs
 */
/**
 * What is imported: a bootstrap file, the list of its trusted hashes, and its size.
 *
 * @typedef {{ file: string, hashes: string, blocks: number, transactions: number }} Chain
 */

const IMPORT = process.env.MONERO_BLOCKCHAIN_IMPORT ?? 'monero-blockchain-import';
const EXPORT = process.env.MONERO_BLOCKCHAIN_EXPORT ?? 'monero-blockchain-export';
const OUR_TOOL = fileURLToPath(new URL('../apps/daemon/dist/chain-tool.js', import.meta.url));
const NETWORK = ['--regtest', '--fixed-difficulty', '1'];
/** monero-blockchain-import waits before it skips verification, so that the user can think again. */
const PAUSE_WARNING = 'You have 90 seconds';
const PAUSE = 90;
/** Blocks that a group of trusted hashes covers: whole groups are imported, so that nothing is left to verify. */
const GROUP = 512;
/** monerod's tools need them to keep the chain of a regtest. */
const KEEP = ['--keep-fakechain', '--offline', '--log-level', '0'];

/**
 * Runs a program to its end. Returns its wall-clock and processor seconds. Throws Error with its last lines when it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<Cost>}
 */
async function run(command, args, cwd) {
  const log = join(cwd, 'output.log');
  const output = openSync(log, 'a');
  const began = performance.now();
  const cpu = cpuSecondsOfChildren();
  const code = await new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', output, output] });
    child.once('error', reject).once('exit', resolve);
  });
  closeSync(output);
  const pause = readFileSync(log, 'latin1').includes(PAUSE_WARNING) ? PAUSE : 0;
  const cost = {
    seconds: (performance.now() - began) / 1000 - pause,
    cpuSeconds: cpuSecondsOfChildren() - cpu,
  };
  if (code === 0) return cost;
  const tail = readFileSync(log, 'utf8').split('\n').slice(-10).join('\n');
  throw new Error(`${command} ended with status ${code}\n${tail}`);
}

/** @type {(dir: string, command: string, ...args: string[]) => string[]} */
const ourArgs = (dir, command, ...args) => [
  ...[OUR_TOOL, command, ...NETWORK],
  ...['--data-dir', dir, ...args],
];

/** @type {(dir: string, command: string, ...args: string[]) => Promise<Cost>} */
const ourTool = (dir, command, ...args) =>
  run(process.execPath, ourArgs(dir, command, ...args), dir);

/**
 * Returns the ways to import: their names, and functions that import into an empty folder.
 *
 * @param {Chain & { verify: boolean, cpus: string | undefined, readAheadThreads: string | undefined }} options
 * @returns {[string, (dir: string) => Promise<Cost>][]}
 */
function waysToImport({ file, hashes, verify, cpus, readAheadThreads }) {
  const threads = readAheadThreads === undefined ? [] : ['--read-ahead-threads', readAheadThreads];
  /** @type {typeof run} */
  const runOn = (command, args, dir) =>
    cpus === undefined
      ? run(command, args, dir)
      : run('taskset', ['-c', cpus, command, ...args], dir);
  /** @type {(trust: boolean) => (dir: string) => Promise<Cost>} */
  const theirs = (trust) => (dir) =>
    runOn(
      IMPORT,
      [
        ...[...NETWORK, ...KEEP, '--data-dir', dir, '--input-file', file],
        ...['--dangerous-unverified-import', trust ? '1' : '0'],
      ],
      dir,
    );
  /** @type {(...flags: string[]) => (dir: string) => Promise<Cost>} */
  const mine =
    (...flags) =>
    (dir) =>
      runOn(
        process.execPath,
        ourArgs(dir, 'import', '--input-file', file, ...threads, ...flags),
        dir,
      );
  if (verify)
    return [
      ['monerod', theirs(false)],
      ['ours', mine('--verify')],
    ];
  return [
    ['monerod', theirs(true)],
    ['ours', mine('--dangerous-unverified-import')],
    ['ours, trusted list', mine('--block-hashes-file', hashes)],
  ];
}

/**
 * Writes the bootstrap file and the list of trusted hashes. Returns them with the size of the chain.
 *
 * @param {string} chainDir recorded by heavy-chain
 * @param {string} dir
 * @param {{ blocks: number, verify: boolean }} options
 * @returns {Promise<Chain>}
 */
async function prepare(chainDir, dir, { blocks, verify }) {
  /** @type {RecordedChain} */
  const chain = JSON.parse(readFileSync(join(chainDir, 'chain.json'), 'utf8'));
  const [recorded, hashes] = [join(dir, 'recorded.raw'), join(dir, 'hashes.dat')];
  const own = join(dir, 'own');
  mkdirSync(own);
  // This tool does not know regtest: it is given the folder in which monerod keeps that chain.
  const from = ['--data-dir', join(chainDir, 'data/fake'), '--output-file', recorded];
  await run(EXPORT, [...from, '--log-level', '0'], dir);
  if (verify)
    return { file: recorded, hashes, blocks: chain.height, transactions: chain.transactions };
  const file = join(dir, 'blockchain.raw');
  const size = await repeatBlocks(recorded, file, Math.ceil(blocks / GROUP) * GROUP);
  await ourTool(own, 'import', '--input-file', file, '--dangerous-unverified-import');
  await ourTool(own, 'block-hashes', '--output-file', hashes);
  return { file, hashes, ...size };
}

/** @param {string[]} args */
export async function importBench(args) {
  const { values } = parseArgs({
    args,
    options: {
      chain: { type: 'string' },
      blocks: { type: 'string', default: '1024' },
      rounds: { type: 'string', default: '3' },
      verify: { type: 'boolean', default: false },
      cpus: { type: 'string' },
      'read-ahead-threads': { type: 'string' },
      out: { type: 'string', default: 'bench-import.json' },
    },
  });
  const description = join(values.chain ?? '', 'chain.json');
  if (values.chain === undefined || !existsSync(description))
    throw new Error('usage: import --chain DIR, a directory recorded by heavy-chain');
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    const { verify, cpus, 'read-ahead-threads': readAheadThreads } = values;
    const chain = await prepare(resolve(values.chain), dir, {
      blocks: Number(values.blocks),
      verify,
    });
    const ways = waysToImport({ ...chain, verify, cpus, readAheadThreads });
    const results = ways.map(([name]) => ({ name, costs: /** @type {Cost[]} */ ([]) }));
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [i, [, importInto]] of ways.entries()) {
        const target = mkdtempSync(join(dir, 'import-'));
        present(results[i]).costs.push(await importInto(target));
        rmSync(target, { recursive: true });
      }
    }
    const baseline = present(results[0]);
    /** @param {Costs} result */
    const seconds = ({ costs }) => median(costs.map((cost) => cost.seconds));
    for (const result of results) {
      const cpu = median(result.costs.map((cost) => cost.cpuSeconds));
      console.log(
        `${result.name.padEnd(20)} ${seconds(result).toFixed(1).padStart(7)} s ${(chain.blocks / seconds(result)).toFixed(0).padStart(6)} blocks/s ${((1e6 * cpu) / chain.transactions).toFixed(0).padStart(6)} us CPU per transaction   ratio ${(seconds(baseline) / seconds(result)).toFixed(2)}`,
      );
    }
    console.log(`${chain.blocks} blocks, ${chain.transactions} transactions`);
    warnWhenBusy();
    const report = {
      date: new Date().toISOString(),
      verify,
      cpus,
      readAheadThreads,
      chain,
      results,
    };
    writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
