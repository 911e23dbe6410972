// Imports a chain made by heavy-chain.mjs from a bootstrap file, with monero-blockchain-import and with our chain tool by
// turns, and compares.
//
//   npm run bench -- import --chain DIR [--rounds 3] [--verify] [--out FILE]
//
// Both skip proof of work and signatures (--dangerous-unverified-import). Ours is also measured with a list of trusted
// block hashes, made from the same chain, as a first synchronisation of mainnet uses; monerod's is compiled into it and
// empty for regtest. With --verify both verify everything.
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
import { warnWhenBusy } from './busy.mjs';
import { cpuSecondsOfChildren } from './programs.mjs';
import { median } from './median.mjs';

const IMPORT = process.env.MONERO_BLOCKCHAIN_IMPORT ?? 'monero-blockchain-import';
const EXPORT = process.env.MONERO_BLOCKCHAIN_EXPORT ?? 'monero-blockchain-export';
const OUR_TOOL = fileURLToPath(new URL('../../apps/daemon/dist/chain-tool.js', import.meta.url));
const NETWORK = ['--regtest', '--fixed-difficulty', '1'];
/** monerod's tools need them to keep the chain of a regtest. */
const KEEP = ['--keep-fakechain', '--offline', '--log-level', '0'];

/** Runs a program to its end. Returns its wall-clock and processor seconds. Throws Error with its last lines when it fails. */
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
  const cost = {
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: cpuSecondsOfChildren() - cpu,
  };
  if (code === 0) return cost;
  const tail = readFileSync(log, 'utf8').split('\n').slice(-10).join('\n');
  throw new Error(`${command} ended with status ${code}\n${tail}`);
}

const ourTool = (dir, command, ...args) =>
  run(process.execPath, [OUR_TOOL, command, ...NETWORK, '--data-dir', dir, ...args], dir);

/** Returns the ways to import: their names, and functions that import into an empty folder. */
function waysToImport({ file, hashes, verify }) {
  const theirs = (trust) => (dir) =>
    run(
      IMPORT,
      [
        ...[...NETWORK, ...KEEP, '--data-dir', dir, '--input-file', file],
        ...['--dangerous-unverified-import', trust ? '1' : '0'],
      ],
      dir,
    );
  const mine =
    (...flags) =>
    (dir) =>
      ourTool(dir, 'import', '--input-file', file, ...flags);
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

/** Writes the bootstrap file and the list of trusted hashes of a recorded chain. */
async function prepare(chainDir, dir) {
  const [file, hashes] = [join(dir, 'blockchain.raw'), join(dir, 'hashes.dat')];
  const own = join(dir, 'own');
  mkdirSync(own);
  // This tool does not know regtest: it is given the folder in which monerod keeps that chain.
  const from = ['--data-dir', join(chainDir, 'data/fake'), '--output-file', file];
  await run(EXPORT, [...from, '--log-level', '0'], dir);
  await ourTool(own, 'import', '--input-file', file, '--dangerous-unverified-import');
  await ourTool(own, 'block-hashes', '--output-file', hashes);
  return { file, hashes };
}

export async function importBench(args) {
  const { values } = parseArgs({
    args,
    options: {
      chain: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      verify: { type: 'boolean', default: false },
      out: { type: 'string', default: 'bench-import.json' },
    },
  });
  const description = join(values.chain ?? '', 'chain.json');
  if (values.chain === undefined || !existsSync(description))
    throw new Error('usage: import --chain DIR, a directory recorded by heavy-chain');
  const chain = JSON.parse(readFileSync(description, 'utf8'));
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    const files = await prepare(resolve(values.chain), dir);
    const ways = waysToImport({ ...files, verify: values.verify });
    const results = ways.map(([name]) => ({ name, costs: [] }));
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [i, [, importInto]] of ways.entries()) {
        const target = mkdtempSync(join(dir, 'import-'));
        results[i].costs.push(await importInto(target));
        rmSync(target, { recursive: true });
      }
    }
    const [baseline] = results;
    const seconds = ({ costs }) => median(costs.map((cost) => cost.seconds));
    for (const result of results) {
      const cpu = median(result.costs.map((cost) => cost.cpuSeconds));
      console.log(
        `${result.name.padEnd(20)} ${seconds(result).toFixed(1).padStart(7)} s ${(chain.height / seconds(result)).toFixed(0).padStart(6)} blocks/s ${((1e6 * cpu) / chain.transactions).toFixed(0).padStart(6)} us CPU per transaction   ratio ${(seconds(baseline) / seconds(result)).toFixed(2)}`,
      );
    }
    console.log(`${chain.height} blocks, ${chain.transactions} transactions`);
    warnWhenBusy();
    const report = { date: new Date().toISOString(), verify: values.verify, chain, results };
    writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
