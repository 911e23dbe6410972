// Measures how soon miners and peers learn of a new block, from our daemon and from monerod, block by block in turns.
//
//   npm run bench -- miner-latency [--blocks 30] [--way submit_block|peer] [--only full|empty] [--chain DIR] [--json FILE] [-- DAEMON FLAGS]
//
// The chain is that of the bench `hostile`, which records it when there is none. Its newest blocks are taken away from both nodes
// and brought again, through submit_block or as the fluffy block of a peer: `full` ones, with 40 transactions that are in the pool already, and
// `empty` ones. Each time is from the call or the message of the peer, and all are measured by this process:
//
//   ZeroMQ          to the message json-full-miner_data with the next height
//   get_miner_data  to an answer with the next height, asked for when that message comes
//   job             to the job of a rig (ours only: monerod has no stratum)
//   peer            to the fluffy block that another peer gets
//   answer          to the answer of submit_block
//
// The flags after -- are for our daemon only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { copyChain, defaultChainDir, openChain } from './hostile/chain.mjs';
import { describeMachine, machineText, warnWhenBusy } from './machine.mjs';
import { MeasuredNode } from './miner-latency/measured-node.mjs';
import { withPrograms } from './programs.mjs';
import { median } from './statistics.mjs';
import { present } from './values.mjs';

/**
 * @import { FullBlock, Listener, Way } from './miner-latency/measured-node.mjs'
 * @import { Start } from './programs.mjs'
 */
/**
 * What was measured of one block on one node.
 *
 * @typedef {{ node: string, kind: 'full' | 'empty', height: number, times: Map<Listener, number> }} Sample
 */

/** Fewer transactions do not make a full block. */
const FULL = 30;
/** Time after the transactions of a block, in which nodes do what they do behind an answer, milliseconds. */
const PAUSE_MS = 300;
const POPPED_PER_CALL = 20;
const TXS_PER_CALL = 100;
/** @type {readonly { listener: Listener, title: string, beside?: Listener }[]} */
const ROWS = [
  { listener: 'zmq', title: 'ZeroMQ' },
  { listener: 'minerData', title: 'get_miner_data' },
  { listener: 'job', title: "job (beside monerod's ZeroMQ)", beside: 'zmq' },
  { listener: 'peer', title: 'peer' },
  { listener: 'answer', title: 'answer' },
];

/** @param {string[]} args */
function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      blocks: { type: 'string', default: '30' },
      way: { type: 'string', default: 'submit_block' },
      only: { type: 'string' },
      chain: { type: 'string', default: defaultChainDir() },
      json: { type: 'string' },
    },
  });
  const { way, only } = values;
  const blocks = Number(values.blocks);
  if (!Number.isInteger(blocks) || blocks < 2)
    throw new Error('--blocks: a number from 2 expected');
  if (way !== 'submit_block' && way !== 'peer') throw new Error('--way: submit_block or peer');
  const { chain, json } = values;
  return {
    chain,
    json,
    blocks,
    way: /** @type {Way} */ (way),
    only: kindOf(only),
    flags: positionals,
  };
}

/**
 * @param {string | undefined} text
 * @returns {'full' | 'empty' | undefined}
 */
function kindOf(text) {
  if (text === undefined || text === 'full' || text === 'empty') return text;
  throw new Error('--only: full or empty');
}

/**
 * Returns consecutive blocks of a node: the last `count` full ones and as many empty ones after them.
 *
 * @param {MeasuredNode} node
 * @param {{ height: number, count: number, only: 'full' | 'empty' | undefined }} options
 */
async function readBlocks({ rpc }, { height, count, only }) {
  const range = { start_height: 1, end_height: height - 1 };
  const { headers } = await rpc.call('get_block_headers_range', range);
  const full = headers.filter(({ num_txes: txs }) => txs >= FULL).map((header) => header.height);
  const lastFull = present(full.at(-1));
  const isWanted = (/** @type {number} */ at) =>
    (only !== 'empty' && at >= present(full.at(-count)) && at <= lastFull) ||
    (only !== 'full' && at > lastFull);
  /** @type {FullBlock[]} */
  const blocks = [];
  let empty = 0;
  for (const header of headers) {
    if (!isWanted(header.height) || empty === count) continue;
    if (header.num_txes === 0 && header.height > lastFull) empty++;
    const { blob, tx_hashes: ids = [] } = await rpc.call('get_block', { height: header.height });
    const txs = [];
    for (let from = 0; from < ids.length; from += TXS_PER_CALL) {
      const params = { txs_hashes: ids.slice(from, from + TXS_PER_CALL) };
      const answer = await rpc.path('/get_transactions', params);
      txs.push(...answer.txs.map((tx) => tx.as_hex));
    }
    blocks.push({ height: header.height, blob, txs });
  }
  return blocks;
}

/**
 * Takes the blocks from a height on away from a node, and their transactions from its pool.
 *
 * @param {MeasuredNode} node
 * @param {number} from
 * @param {number} height of the node
 */
async function popTo({ name, rpc }, from, height) {
  for (let left = height - from; left > 0; left -= POPPED_PER_CALL) {
    const { status } = await rpc.path('/pop_blocks', { nblocks: Math.min(left, POPPED_PER_CALL) });
    if (status !== 'OK') throw new Error(`${name}: pop_blocks: ${status}`);
  }
  await rpc.call('flush_txpool');
}

/**
 * @param {readonly [MeasuredNode, MeasuredNode]} nodes
 * @param {readonly FullBlock[]} blocks
 * @param {Way} way
 */
async function measure(nodes, blocks, way) {
  /** @type {Sample[]} */
  const samples = [];
  for (const [at, block] of blocks.entries()) {
    for (const node of nodes) await node.pool(block);
    await sleep(PAUSE_MS);
    const turns = at % 2 === 0 ? nodes : [...nodes].reverse();
    for (const node of turns) {
      const times = await node.bring(block, way);
      const count = block.txs.length;
      const kind = count >= FULL ? 'full' : count === 0 ? 'empty' : undefined;
      if (kind) samples.push({ node: node.name, kind, height: block.height, times });
      await sleep(PAUSE_MS / 3);
    }
  }
  return samples;
}

/**
 * Returns the value that nine of ten do not exceed.
 *
 * @param {readonly number[]} values
 */
const ninth = (values) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.9) - 1];

/**
 * @param {readonly Sample[]} samples
 * @param {'full' | 'empty'} kind
 */
function tableOf(samples, kind) {
  /** @type {(node: string, listener: Listener) => number[]} */
  const times = (node, listener) =>
    samples.flatMap((sample) => {
      const time = sample.times.get(listener);
      return sample.kind !== kind || sample.node !== node || time === undefined ? [] : [time];
    });
  return ROWS.flatMap(({ listener, title, beside = listener }) => {
    const [ours, theirs] = [times('ours', listener), times('monerod', beside)];
    if (ours.length === 0 || theirs.length === 0) return [];
    return [
      {
        'ms to': title,
        blocks: ours.length,
        ours: median(ours).toFixed(1),
        'ours p90': ninth(ours)?.toFixed(1),
        monerod: median(theirs).toFixed(1),
        'monerod p90': ninth(theirs)?.toFixed(1),
        ratio: (median(ours) / median(theirs)).toFixed(2),
      },
    ];
  });
}

/**
 * @param {Start} start
 * @param {string} dir
 * @param {ReturnType<typeof readOptions>} options
 */
async function measureBoth(start, dir, { blocks: count, way, only, chain: chainDir, flags }) {
  const chain = await openChain(start, chainDir, (text) => console.log(text));
  const begin = async (/** @type {boolean} */ ours) => {
    const name = ours ? 'ours' : 'monerod';
    const dataDir = join(dir, name);
    copyChain(chainDir, { ours, to: dataDir });
    const extra = ours ? flags : [];
    return MeasuredNode.start(start, { name, ours, dataDir, extra });
  };
  /** @type {readonly [MeasuredNode, MeasuredNode]} */
  const nodes = [await begin(false), await begin(true)];
  const { height } = chain;
  const blocks = await readBlocks(nodes[1], { height, count, only });
  for (const node of nodes) {
    await popTo(node, present(blocks[0]).height, height);
    await node.connect();
  }
  const samples = await measure(nodes, blocks, way);
  for (const node of nodes) {
    console.log(`${node.name}: ${node.early} answers of get_miner_data with the old height`);
    await node.stop();
  }
  return samples;
}

/** @param {string[]} args */
export async function minerLatency(args) {
  const options = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    const samples = await withPrograms((start) => measureBoth(start, dir, options));
    console.log(`\n${machineText()}`);
    for (const kind of /** @type {const} */ (['full', 'empty'])) {
      const table = tableOf(samples, kind);
      if (table.length === 0) continue;
      console.log(`${kind} blocks that come through ${options.way}:`);
      console.table(table);
    }
    warnWhenBusy();
    if (options.json) {
      const plain = samples.map(({ times, ...rest }) => ({
        ...rest,
        times: Object.fromEntries(times),
      }));
      const figures = {
        date: new Date().toISOString(),
        machine: describeMachine(),
        samples: plain,
      };
      writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
