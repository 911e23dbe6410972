// Measures how soon our daemon answers miners and wallets while it verifies a block of 30 MB.
//
//   npm run bench -- big-block [--dir DIR] [--way peer|pool] [--json FILE] [--profile DIR] [-- DAEMON FLAGS]
//
// The block has about 13,500 transactions with two inputs and two outputs, all valid. Its transactions come with it (`peer`), or are in the pool before
// it comes (`pool`). Blocks as large need a median that only years of full blocks would reach: the store of the private chain says that all its blocks
// weigh 40 MB, as no block tells its own weight. Chain and block are made once, which takes minutes, and kept outside the repository. get_info,
// get_block_template and get_miner_data are each asked over their own connection, 20 times in a second, before the block comes, from then until the
// node has its height, and for five seconds after it. A profile of the main thread is written to --profile DIR.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { defaultBigBlockDir, openBigBlock } from './big-block/chain.mjs';
import { longestStalls, REPORT_STALLS } from './hostile/measure.mjs';
import { COMMAND, notify, Peer } from './hostile/peer.mjs';
import { body, object, string, strings, u64 } from './hostile/storage.mjs';
import { describeMachine, machineText, warnWhenBusy } from './machine.mjs';
import { ADDRESS, startDaemon } from './nodes.mjs';
import { waitFor, withPrograms } from './programs.mjs';
import { Rpc } from './rpc.mjs';
import { median } from './statistics.mjs';
import { messageOf } from './values.mjs';

/**
 * @import { BigBlock } from './big-block/chain.mjs'
 * @import { Daemon } from './nodes.mjs'
 * @import { Start } from './programs.mjs'
 */
/**
 * A question, what it is asked with, and the milliseconds that answers took, by phase.
 *
 * @typedef {{ name: string, times: Map<string, number[]>, failed: number, stop: () => Promise<void> }} Asker
 */

const INTERVAL_MS = 50;
/** Time in which the node runs its code for the first time, which is slow. */
const WARM_UP_MS = 5000;
const BEFORE_MS = 5000;
const AFTER_MS = 5000;
const LIMIT_MS = 300_000;
const PEER = '127.0.0.2';
const TXS_PER_MESSAGE = 100;
/** @type {readonly string[]} */
const PHASES = ['before', 'during', 'after'];

/** @param {string[]} args */
function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      dir: { type: 'string', default: defaultBigBlockDir() },
      way: { type: 'string', default: 'peer' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  if (values.way !== 'peer' && values.way !== 'pool') throw new Error('--way: peer or pool');
  return { ...values, flags: positionals };
}

/**
 * Asks at fixed intervals, but never twice at once, until it is stopped.
 *
 * @param {string} name
 * @param {() => string} phase at the time of the question
 * @param {() => Promise<unknown>} ask
 * @returns {Asker}
 */
function startAsking(name, phase, ask) {
  /** @type {Map<string, number[]>} */
  const times = new Map(PHASES.map((each) => [each, []]));
  let isStopped = false;
  const run = async (/** @type {Asker} */ asker) => {
    while (!isStopped) {
      const [asked, at] = [performance.now(), phase()];
      try {
        await ask();
        times.get(at)?.push(performance.now() - asked);
      } catch (error) {
        if (asker.failed++ === 0) console.log(`${name}: ${messageOf(error)}`);
      }
      await sleep(Math.max(0, asked + INTERVAL_MS - performance.now()));
    }
  };
  /** @type {Promise<void>} */
  let loop = Promise.resolve();
  const stop = () => {
    isStopped = true;
    return loop;
  };
  const asker = { name, times, failed: 0, stop };
  loop = run(asker);
  return asker;
}

/**
 * @param {Daemon} node
 * @param {() => string} phase
 */
function startAll({ rpcPort }, phase) {
  const [info, template, minerData] = [new Rpc(rpcPort), new Rpc(rpcPort), new Rpc(rpcPort)];
  const wanted = { wallet_address: ADDRESS, reserve_size: 8 };
  const askers = [
    startAsking('get_info', phase, () => info.path('/get_info')),
    startAsking('get_block_template', phase, () => template.call('get_block_template', wanted)),
    startAsking('get_miner_data', phase, () => minerData.call('get_miner_data')),
  ];
  const stop = async () => {
    await Promise.all(askers.map((each) => each.stop()));
    for (const rpc of [info, template, minerData]) rpc.close();
  };
  return { askers, stop };
}

/**
 * @param {BigBlock} block
 * @param {boolean} withTransactions
 */
function message({ height, block, txs }, withTransactions) {
  const entry = object('b', [
    string('block', block),
    ...(withTransactions ? [strings('txs', txs)] : []),
  ]);
  const command = withTransactions ? COMMAND.newBlock : COMMAND.newFluffyBlock;
  return notify(command, body([entry, u64('current_blockchain_height', height + 1)]));
}

/**
 * Puts the transactions into the pool of a node, as a peer that says to have them in its own for long.
 *
 * @param {Daemon} node
 * @param {Peer} peer
 * @param {BigBlock} block
 */
async function fillPool(node, peer, { txs }) {
  for (let from = 0; from < txs.length; from += TXS_PER_MESSAGE) {
    const part = txs.slice(from, from + TXS_PER_MESSAGE);
    const fields = [strings('txs', part), string('_', Buffer.alloc(0))];
    await peer.send(notify(COMMAND.newTransactions, body(fields)));
    const wanted = from + part.length;
    const isThere = async () => (await node.info()).tx_pool_size >= wanted;
    await waitFor(node.program, `a pool of ${wanted} transactions`, isThere, LIMIT_MS);
  }
}

/**
 * @param {Start} start
 * @param {string} dataDir
 * @param {ReturnType<typeof readOptions> & { big: BigBlock }} options
 */
async function measure(start, dataDir, { big, way, flags, profile }) {
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const stallFile = join(dataDir, 'stalls.jsonl');
  const common = { name: 'ours', ours: true, quiet: true, dataDir, extra: flags };
  const nodeFlags = ['--import', REPORT_STALLS, ...profiling];
  const env = { HOSTILE_STALLS: stallFile };
  const node = await startDaemon(start, { ...common, nodeFlags, env });
  const chain = {
    height: big.height,
    topHash: big.topHash,
    ids: [],
    heavyIds: [],
    largest: { id: '', hex: '' },
    topBlock: '',
  };
  const peer = await Peer.open(Number(node.peer.split(':')[1]), PEER, chain);
  await waitFor(node.program, 'miner data', () => node.rpc.call('get_miner_data'));
  if (way === 'pool') await fillPool(node, peer, big);
  const bytes = message(big, way === 'peer');

  let phase = 'warm up';
  const { askers, stop } = startAll(node, () => phase);
  await sleep(WARM_UP_MS);
  phase = 'before';
  await sleep(BEFORE_MS);
  phase = 'during';
  const [sent, began] = [performance.now(), Date.now()];
  await peer.send(bytes);
  const hasBlock = async () => (await node.info()).height === big.height + 1;
  await waitFor(node.program, 'the block', hasBlock, LIMIT_MS);
  const seconds = (performance.now() - sent) / 1000;
  phase = 'after';
  await sleep(AFTER_MS);
  const stalls = longestStalls(stallFile, began);
  await stop();
  peer.close();
  node.rpc.close();
  await node.program.stop();
  return { seconds, askers, stalls };
}

/**
 * Returns the value that 99 of 100 do not exceed.
 *
 * @param {readonly number[]} values
 */
const hundredth = (values) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1];

/** @param {readonly Asker[]} askers */
function rowsOf(askers) {
  return askers.flatMap(({ name, times, failed }) =>
    [...times].flatMap(([phase, all]) =>
      all.length === 0
        ? []
        : [
            {
              call: name,
              block: phase,
              answers: all.length,
              failed,
              'median ms': median(all).toFixed(1),
              'p99 ms': hundredth(all)?.toFixed(1),
              'worst ms': Math.max(...all).toFixed(1),
            },
          ],
    ),
  );
}

/** @param {string[]} args */
export async function bigBlock(args) {
  const options = readOptions(args);
  const big = await openBigBlock(options.dir, (text) => console.log(text));
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    cpSync(join(options.dir, 'fake'), join(dir, 'fake'), { recursive: true });
    const { seconds, askers, stalls } = await withPrograms((start) =>
      measure(start, dir, { ...options, big }),
    );
    const bytes = big.txs.reduce((sum, tx) => sum + tx.length, big.block.length);
    console.log(`\n${machineText()}`);
    console.log(
      `a block of ${(bytes / 1e6).toFixed(1)} MB with ${big.txs.length} transactions, way ${options.way}: ${seconds.toFixed(1)} s from the message to the new height`,
    );
    const rows = rowsOf(askers);
    console.table(rows);
    console.log(
      `the event loop stood still for ${stalls.stall.toFixed(0)} ms at most, for ${stalls.stallAlone.toFixed(0)} ms without the time in which other threads and programs ran`,
    );
    warnWhenBusy();
    if (options.json) {
      const figures = {
        date: new Date().toISOString(),
        machine: describeMachine(),
        seconds,
        stalls,
        rows,
      };
      writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
