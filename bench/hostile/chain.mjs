// The chain of the node under attack: 721 blocks, some of them heavy, and a few transactions of 50 to 150 kB. It is
// recorded once with monerod and wallets, and kept outside the repository.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Recorder } from '../chain/recorder.mjs';
import { Spender } from '../chain/wallets.mjs';
import { startDaemon } from '../nodes.mjs';
import { present } from '../values.mjs';

/**
 * @import { Daemon } from '../nodes.mjs'
 * @import { Start } from '../programs.mjs'
 * @import { ChainFacts } from './attack.d.ts'
 */

const HEIGHT = 721;
const HEAVY = { blocks: 40, txsPerBlock: 40 };
const WALLETS = 3;
/** As many as fit into the weight limit of a block; further ones would stay in the pool. */
const LARGE_TRANSACTIONS = 4;

/** Returns the folder that holds the chain between runs. */
export function defaultChainDir() {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'monero-node', 'hostile-chain');
}

/**
 * @param {Start} start
 * @param {string} dir
 * @param {(text: string) => void} say
 */
async function record(start, dir, say) {
  const dataDir = join(dir, 'data');
  const node = await startDaemon(start, { name: 'monerod', dataDir, offline: true });
  const wallets = await Promise.all(
    Array.from({ length: WALLETS }, (_, i) => {
      const name = `wallet-${i}`;
      return Spender.open(start, { name, dir: join(dir, 'wallets', name), node });
    }),
  );
  const recorder = new Recorder(HEAVY, { node, wallets, say });
  await recorder.mineCoinbases();
  await recorder.splitCoinbases();
  await recorder.mineHeavyBlocks();
  const large = await present(wallets[0]).sweepSmallOutputs(LARGE_TRANSACTIONS);
  say(`${large.length} large transactions; mining to height ${HEIGHT}`);
  await recorder.mineTo(HEIGHT);
  const description = await describeChain(node);
  node.rpc.close();
  for (const program of [...wallets, node].map((each) => each.program)) await program.stop();
  return description;
}

/**
 * Returns the largest transaction of a block.
 *
 * @param {Daemon} node
 * @param {string} hash
 */
async function largestTransaction(node, hash) {
  const { tx_hashes: ids = [], miner_tx_hash: coinbase } = await node.rpc.call('get_block', {
    hash,
  });
  const { txs } = await node.rpc.path('/get_transactions', { txs_hashes: [coinbase, ...ids] });
  const largest = txs.reduce((a, b) => (b.as_hex.length > a.as_hex.length ? b : a));
  return { id: largest.tx_hash, hex: largest.as_hex };
}

/**
 * Returns what attackers know about the chain of a node: ids, its heavy blocks, its largest transaction, its top.
 *
 * @param {Daemon} node
 * @returns {Promise<ChainFacts>}
 */
export async function describeChain(node) {
  const info = await node.info();
  const { headers } = await node.rpc.call('get_block_headers_range', {
    start_height: 0,
    end_height: info.height - 1,
  });
  const heavy = headers.toSorted((a, b) => b.block_weight - a.block_weight).slice(0, 100);
  const top = present(headers.at(-1));
  return {
    height: info.height,
    topHash: top.hash,
    ids: headers.map(({ hash }) => hash),
    heavyIds: heavy.map(({ hash }) => hash),
    largest: await largestTransaction(node, present(heavy[0]).hash),
    topBlock: (await node.rpc.call('get_block', { hash: top.hash })).blob,
  };
}

/**
 * Synchronizes our node from monerod, so that both have the same chain.
 *
 * @param {Start} start
 * @param {string} dir
 * @param {ChainFacts} chain
 */
async function copyToOurs(start, dir, { height }) {
  const monerod = await startDaemon(start, { name: 'monerod', dataDir: join(dir, 'data') });
  const ours = await startDaemon(start, {
    name: 'ours',
    ours: true,
    dataDir: join(dir, 'ours'),
    peer: monerod.peer,
  });
  while ((await ours.info()).height < height) await sleep(200);
  for (const node of [ours, monerod]) {
    node.rpc.close();
    await node.program.stop();
  }
}

/**
 * Returns the description of the chain in `dir`, which is recorded when it is not there yet (minutes).
 *
 * @param {Start} start
 * @param {string} dir
 * @param {(text: string) => void} say
 * @returns {Promise<ChainFacts>}
 */
export async function openChain(start, dir, say) {
  const file = join(dir, 'hostile.json');
  if (!existsSync(file)) {
    mkdirSync(dir, { recursive: true });
    const description = await record(start, dir, say);
    await copyToOurs(start, dir, description);
    writeFileSync(file, `${JSON.stringify(description)}\n`);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Makes a data directory with that chain for one node.
 *
 * @param {string} dir of the recorded chain
 * @param {{ ours: boolean, to: string }} node
 */
export function copyChain(dir, { ours, to }) {
  const from = join(dir, ours ? 'ours' : 'data', 'fake');
  mkdirSync(to, { recursive: true });
  cpSync(from, join(to, 'fake'), { recursive: true });
}
