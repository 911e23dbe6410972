// Measures a node with a full transaction pool, ours and monerod with the same transactions, one after the other.
//
//   npm run bench -- full-pool --make DIR [--transactions 50000] [--daemons ours,monerod] [--refill] [--out FILE]
//
// DIR keeps the recording (made the first time) and the data directories with the filled pools, because filling them takes
// minutes. The transactions have 1 or 2 inputs with rings of 16, two outputs and 16 fee rates. They spend outputs of a
// regtest chain made for them, and come from four peers.
//
//   admission   from the first message to the last transaction in the pool
//   restart     until get_info answers with the whole pool
//   calls       medians; "after a change" means that a transaction was added just before
//   eviction    with --max-txpool-weight a tenth below the pool's weight: the first transaction, and each of fifty more
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './busy.mjs';
import { measureCalls, mineBlock } from './full-pool/calls.mjs';
import { Client } from './full-pool/client.mjs';
import { befriend, flood, giveChain } from './full-pool/fill.mjs';
import { makeRecording } from './full-pool/make.mjs';
import { readRecords } from './full-pool/records.mjs';
import { longestStall, reportStalls } from './full-pool/stalls.mjs';
import { printTable } from './full-pool/table.mjs';
import { machineText } from './machine.mjs';
import { startDaemon } from './nodes.mjs';
import { memoryOf } from './process-use.mjs';
import { cpuSeconds, waitFor, withPrograms } from './programs.mjs';

/** Transactions that are not in the filled pool: they change it. */
const RESERVE = 300;
/** Milliseconds until a daemon with a full pool must answer: monerod needs more than 90 seconds. */
const START_LIMIT = 900_000;
/** Seconds between the end of a phase and the reading of memory. */
const SETTLE = 3;
const EVICTED_SHARE = 0.1;
const ADDED_TO_FULL = 50;

function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      make: { type: 'string' },
      transactions: { type: 'string', default: '50000' },
      daemons: { type: 'string', default: 'ours,monerod' },
      refill: { type: 'boolean', default: false },
      out: { type: 'string', default: 'bench-full-pool.json' },
    },
  });
  const transactions = Number(values.transactions);
  if (values.make === undefined || !(transactions >= 1000)) {
    throw new Error('usage: full-pool --make DIR [--transactions N, at least 1000]');
  }
  return { ...values, transactions, dir: resolve(values.make), daemons: values.daemons.split(',') };
}

/** Starts a daemon on a data directory; ours with a report of its stalls. */
async function open(start, { name, dataDir, extra = [] }) {
  const ours = name === 'ours';
  const stalls = join(dataDir, 'stalls.log');
  const node = await startDaemon(start, {
    ...{ name, ours, dataDir, extra, quiet: true, pollMs: 10, startLimitMs: START_LIMIT },
    ...(ours && reportStalls(stalls)),
  });
  const begun = Date.now();
  return { ...node, stall: (since = begun) => longestStall(stalls, since) };
}

/** Fills the pool of a new node, unless that has been done. Returns the figures of that time. */
async function fill(start, { name, dir, refill }, recorded, say) {
  const dataDir = join(dir, name);
  const result = join(dir, `${name}.json`);
  if (existsSync(result) && !refill) return JSON.parse(readFileSync(result, 'utf8'));
  rmSync(dataDir, { recursive: true, force: true });
  const node = await open(start, { name, dataDir });
  await giveChain(node, recorded.blocks);
  const chainMemory = memoryOf(node.program.pid);
  const since = Date.now();
  const figures = await flood(node, recorded.txs, say);
  await sleep(1000 * SETTLE);
  const memory = { memory: memoryOf(node.program.pid), chainMemory };
  const filled = { ...figures, ...memory, stall: node.stall(since) };
  await stop(node);
  writeFileSync(result, JSON.stringify(filled));
  return filled;
}

async function stop(node) {
  node.rpc.close();
  await node.program.stop();
}

/** Adds transactions one by one through the RPC. */
function adder(client, reserve) {
  let next = 0;
  return async () => {
    const tx_as_hex = reserve[next++].toString('hex');
    const answer = JSON.parse(
      // The rings of the recording are not spread over the chain as a wallet's are.
      await client.post(
        '/send_raw_transaction',
        JSON.stringify({ tx_as_hex, do_sanity_checks: false }),
      ),
    );
    if (answer.status !== 'OK')
      throw new Error(`a transaction was refused: ${JSON.stringify(answer)}`);
  };
}

/** A node that starts with the full pool: its start, its memory, the calls, a block. */
async function serve(start, { name, dataDir }, recorded, say) {
  const begun = performance.now();
  const started = Date.now();
  const node = await open(start, { name, dataDir });
  const whole = async () => (await node.info()).tx_pool_size === recorded.txs.length;
  await waitFor(node.program, 'the whole pool', whole, START_LIMIT, 10);
  const restart = { ms: performance.now() - begun, cpu: 1000 * cpuSeconds(node.program.pid) };
  await sleep(1000 * SETTLE);
  const memory = memoryOf(node.program.pid);
  const startStall = node.stall(started);
  const peer = await befriend(node);
  const client = new Client(node);
  const since = Date.now();
  const calls = await measureCalls(client, adder(client, recorded.reserve), say);
  const callStall = node.stall(since);
  const mined = Date.now();
  const block = await mineBlock(client);
  await sleep(1000 * SETTLE);
  const after = { memoryAfter: memoryOf(node.program.pid), blockStall: node.stall(mined) };
  peer.close();
  client.close();
  await stop(node);
  return { restart, memory, startStall, calls, callStall, block, ...after };
}

/**
 * A node whose limit is below the weight of its pool. Ours evicts a tenth when it starts, monerod at the first transaction;
 * each further one evicts as much as it weighs.
 */
async function evict(start, { name, dataDir }, recorded) {
  const limit = Math.round(recorded.weight * (1 - EVICTED_SHARE));
  const extra = ['--max-txpool-weight', String(limit)];
  const node = await open(start, { name, dataDir, extra });
  const peer = await befriend(node);
  const before = (await node.info()).tx_pool_size;
  const client = new Client(node);
  const since = Date.now();
  const cpu = cpuSeconds(node.program.pid);
  const add = adder(client, recorded.reserve);
  const at = performance.now();
  await add();
  const first = performance.now() - at;
  for (let i = 0; i < ADDED_TO_FULL; i++) await add();
  const ms = performance.now() - at;
  const left = (await node.info()).tx_pool_size;
  const used = 1000 * (cpuSeconds(node.program.pid) - cpu);
  const stall = node.stall(since);
  peer.close();
  client.close();
  await stop(node);
  return { before, left, first, each: (ms - first) / ADDED_TO_FULL, cpu: used, stall };
}

async function measureDaemon(options, recorded) {
  const { dir, name } = options;
  const say = (text) => console.log(`${name}: ${text}`);
  return withPrograms(async (start) => {
    const admission = await fill(start, options, recorded, say);
    say(`${admission.transactions} transactions in ${admission.seconds.toFixed(1)} s`);
    const dataDir = join(dir, `${name}-copy`);
    const withCopy = async (task) => {
      rmSync(dataDir, { recursive: true, force: true });
      cpSync(join(dir, name), dataDir, { recursive: true });
      try {
        return await task(start, { name, dataDir }, recorded, say);
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    };
    const served = await withCopy(serve);
    const eviction = await withCopy(evict);
    return { name, admission, ...served, eviction };
  });
}

export async function fullPool(args) {
  const { daemons, out, ...options } = readOptions(args);
  const { dir, transactions } = options;
  const made = await makeRecording(dir, transactions + RESERVE, (text) => console.log(text));
  const blobs = readRecords(join(dir, 'txs.bin'));
  const recorded = {
    ...{ blocks: readRecords(join(dir, 'blocks.bin')), txs: blobs.slice(0, -RESERVE) },
    ...{ reserve: blobs.slice(-RESERVE), weight: made.weight },
  };
  const bytes = recorded.txs.reduce((sum, { length }) => sum + length, 0);
  const results = [];
  for (const name of daemons) {
    results.push(await measureDaemon({ ...options, name }, recorded));
    // Results so far are not lost when a later daemon fails.
    writeFileSync(out, `${JSON.stringify({ bytes, transactions, results }, null, 2)}\n`);
  }
  console.log(
    `\n${machineText()}\n${recorded.txs.length} transactions of ${(bytes / 1e6).toFixed(1)} MB\n`,
  );
  printTable(results, bytes);
  warnWhenBusy();
}
