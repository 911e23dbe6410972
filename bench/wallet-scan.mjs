// Scans a chain for the outputs of an account, with monero-wallet-rpc and with our wallet primitives, and compares.
//
//   npm run bench -- wallet-scan [--file FILE] [--blocks 3000] [--rounds 3] [--out FILE]
//
// FILE is a bootstrap file, by default the recorded chain of apps/daemon-e2e. It is made longer by repeating its blocks that
// hold most transactions. Our daemon serves the chain to both, and both download pruned blocks with the same call. The wallet
// refreshes with --max-concurrency 1 and is held on one processor by taskset where that exists; ours runs on the main thread.
// Two readings are printed: blocks per second of processor time, and per second that passed. "scan" is ours without download and
// portable storage: from the blobs of blocks and transactions to the outputs found. The account owns nothing, as is usual for
// a wallet's share of a public chain. Needs monero-wallet-rpc.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RpcClient } from '@monero-node/rpc-client';
import { createNodeTransport } from '@monero-node/rpc-client/node';
import { accountFromSeed, encodeSeed, Scanner } from '@monero-node/wallet-primitives';
import { english } from '@monero-node/wallet-primitives/words/english';
import { warnWhenBusy } from './machine.mjs';
import { repeatBlocks } from './chain/repeat-blocks.mjs';
import { selectBackends } from './crypto/backends.mjs';
import { median } from './statistics.mjs';
import { startDaemon, startWallet } from './nodes.mjs';
import { cpuSeconds, LOOPBACK, withPrograms } from './programs.mjs';
import { present } from './values.mjs';

/**
 * @import { CryptoBackend } from '@monero-node/crypto'
 * @import { Account } from '@monero-node/wallet-primitives'
 * @import { Daemon } from './nodes.mjs'
 * @import { Start } from './programs.mjs'
 */
/**
 * What a scan took: seconds by the clock and of processor time.
 *
 * @typedef {{ seconds: number, cpu: number }} Run
 */
/**
 * The same of one of our scans; scanCpu: without download and portable storage.
 *
 * @typedef {Run & { scanCpu: number }} OurRun
 */
/**
 * What has been measured.
 *
 * @typedef {{ height: number, wallet: Run[], ours: { name: string, runs: OurRun[] }[] }} Scan
 */

const RECORDED = fileURLToPath(new URL('../apps/daemon-e2e/fixtures/chain.raw', import.meta.url));
const OUR_TOOL = fileURLToPath(new URL('../apps/daemon/dist/chain-tool.js', import.meta.url));
/** Transactions in the fullest blocks of the recorded chain. */
const FULL = 8;
const BACKENDS = ['native-ifma', 'native-avx2', 'native-portable', 'wasm'];

/**
 * Imports a chain for our daemon. Throws Error when the tool fails.
 *
 * @param {string} file
 * @param {string} dataDir
 */
function importChain(file, dataDir) {
  mkdirSync(dataDir);
  const flags = ['--regtest', '--fixed-difficulty', '1', '--data-dir', dataDir];
  const args = [OUR_TOOL, 'import', ...flags, '--input-file', file];
  const done = spawnSync(process.execPath, [...args, '--dangerous-unverified-import']);
  if (done.status !== 0) throw new Error(`the import failed: ${done.stderr}${done.stdout}`);
}

/**
 * Refreshes a new wallet of the seed from the first block; returns the seconds and the processor time.
 *
 * @param {Start} start
 * @param {{ node: Daemon, dir: string, seed: string, height: number }} options
 * @returns {Promise<Run>}
 */
async function timeWallet(start, { node, dir, seed, height }) {
  const wallet = await startWallet(start, {
    name: 'wallet',
    dir,
    daemonPort: node.rpcPort,
    extra: ['--max-concurrency', '1'],
  });
  await wallet.rpc.call('auto_refresh', { enable: false });
  spawnSync('taskset', ['-a', '-p', '-c', '0', String(wallet.program.pid)]);
  await wallet.rpc.call('restore_deterministic_wallet', {
    filename: 'scan',
    password: '',
    seed,
    restore_height: 0,
  });
  const [began, cpuBegan] = [performance.now(), cpuSeconds(wallet.program.pid)];
  await wallet.rpc.call('refresh', { start_height: 0 });
  const seconds = (performance.now() - began) / 1000;
  const cpu = cpuSeconds(wallet.program.pid) - cpuBegan;
  const seen = await wallet.rpc.call('get_height');
  if (seen.height !== height) throw new Error(`the wallet is at ${seen.height}, not ${height}`);
  await wallet.program.stop();
  return { seconds, cpu };
}

/** Returns the processor time of this process in seconds. */
function ownCpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Downloads and scans the chain; returns seconds and processor time of all, and of scanning alone.
 *
 * @param {{ node: Daemon, account: Account, backend: CryptoBackend, genesis: Uint8Array, height: number }} options
 * @returns {Promise<OurRun>}
 */
async function timeScan({ node, account, backend, genesis, height }) {
  const scanner = new Scanner({ account, backend });
  const transport = createNodeTransport({ url: `http://${LOOPBACK}:${node.rpcPort}` });
  const client = new RpcClient({ transport });
  const [began, cpuBegan] = [performance.now(), ownCpuSeconds()];
  let [at, scanCpu] = [0, 0];
  const download = () =>
    client.binary('/get_blocks.bin', {
      block_ids: [genesis],
      start_height: BigInt(at),
      prune: true,
    });
  /** @type {ReturnType<typeof download> | undefined} */
  let next = download();
  while (next !== undefined) {
    const answer = await next;
    at = Number(answer.start_height) + answer.blocks.length;
    // The daemon prepares the next answer meanwhile, as it does for the wallet.
    next = at < height ? download() : undefined;
    await setImmediate();
    const before = ownCpuSeconds();
    const found = scanner.scanBlocks(answer.blocks);
    scanCpu += ownCpuSeconds() - before;
    if (found.length > 0) throw new Error('an output was found');
  }
  const seconds = (performance.now() - began) / 1000;
  client.close();
  return { seconds, cpu: ownCpuSeconds() - cpuBegan, scanCpu };
}

/** @param {string[]} args */
export async function walletScan(args) {
  const { values } = parseArgs({
    args,
    options: {
      file: { type: 'string', default: RECORDED },
      blocks: { type: 'string', default: '3000' },
      rounds: { type: 'string', default: '3' },
      out: { type: 'string', default: 'bench-wallet-scan.json' },
    },
  });
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    const file = join(dir, 'chain.raw');
    const chain = await repeatBlocks(values.file, file, Number(values.blocks), { leastTxs: FULL });
    importChain(file, join(dir, 'data'));
    const report = await withPrograms((start) =>
      measure(start, { dir, rounds: Number(values.rounds) }),
    );
    printTable(report, chain);
    warnWhenBusy();
    const json = { date: new Date().toISOString(), chain, ...report };
    writeFileSync(values.out, `${JSON.stringify(json, null, 2)}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {Start} start
 * @param {{ dir: string, rounds: number }} options
 * @returns {Promise<Scan>}
 */
async function measure(start, { dir, rounds }) {
  const dataDir = join(dir, 'data');
  const node = await startDaemon(start, { name: 'ours', ours: true, dataDir, offline: true });
  const { height } = await node.info();
  const { hash } = (await node.rpc.call('get_block_header_by_height', { height: 0 })).block_header;
  const genesis = Buffer.from(hash, 'hex');
  const secret = randomBytes(32);
  secret[31] = 0;
  const [account, seed] = [accountFromSeed(secret), encodeSeed(secret, english)];
  const backends = selectBackends().filter(({ name }) => BACKENDS.includes(name));
  /** @type {Run[]} */
  const wallet = [];
  const ours = backends.map(({ name }) => ({ name, runs: /** @type {OurRun[]} */ ([]) }));
  for (let round = 0; round < rounds; round++) {
    const walletDir = mkdtempSync(join(dir, 'wallet-'));
    wallet.push(await timeWallet(start, { node, dir: walletDir, seed, height }));
    for (const [i, { backend }] of backends.entries()) {
      present(ours[i]).runs.push(await timeScan({ node, account, backend, genesis, height }));
    }
  }
  return { height, wallet, ours };
}

/**
 * Ratios are of the wallet's time to ours: of processor time, of the time that passed, and of processor time for scanning alone.
 *
 * @param {Scan} scan
 * @param {{ transactions: number }} chain
 */
function printTable({ height, wallet, ours }, { transactions }) {
  /**
   * @template {string} Part
   * @param {readonly Record<Part, number>[]} runs
   * @param {Part} part
   */
  const middle = (runs, part) => median(runs.map((run) => run[part]));
  const theirs = { cpu: middle(wallet, 'cpu'), seconds: middle(wallet, 'seconds') };
  /**
   * @param {string} name
   * @param {readonly Run[]} runs
   * @param {readonly OurRun[]} [scans] the same runs, if they are ours
   */
  const row = (name, runs, scans) => {
    const [seconds, cpu] = [middle(runs, 'seconds'), middle(runs, 'cpu')];
    const cells = [seconds.toFixed(2), cpu.toFixed(2), (height / cpu).toFixed(0)];
    cells.push((transactions / cpu).toFixed(0), (theirs.seconds / seconds).toFixed(2));
    cells.push((theirs.cpu / cpu).toFixed(2));
    if (scans) cells.push((theirs.cpu / middle(scans, 'scanCpu')).toFixed(2));
    console.log(name.padEnd(26) + cells.map((cell) => cell.padStart(10)).join(''));
  };
  console.log(`${height} blocks, ${transactions} transactions without coinbases\n`);
  const heads = ['seconds', 'CPU s', 'blocks/s', 'txs/s', 'ratio', 'CPU ratio', 'CPU, scan'];
  console.log(' '.repeat(26) + heads.map((head) => head.padStart(10)).join(''));
  row('monero-wallet-rpc refresh', wallet);
  for (const { name, runs } of ours) row(`ours, ${name}`, runs, runs);
}
