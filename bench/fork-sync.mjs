// Synchronizing a chain of version 18 beside one of version 16 with as many transactions: all that a node does with blocks of a peer, but for
// the network and proof of work.
//
//   npm run bench -- fork-sync [--transactions 20] [--threads N] [--rounds N] [--out FILE]
//
// A devnet makes both chains first, with payments of one input and two outputs, which takes seconds for each payment of version 18. Both are taken
// over in turns, into a new store on disk each time, with every signature and proof verified. Processor time is that of all threads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { openBlockchain, parseBundle } from '@monero-node/blockchain';
import { NETWORKS, parsePrivateForks, withOverrides } from '@monero-node/consensus';
import { createBackend, createVerificationPool } from '@monero-node/crypto';
import { devAccount, startNode } from '@monero-node/devnet';
import { openLmdbStore } from '@monero-node/storage';
import { describeMachine, machineText, warnWhenBusy } from './machine.mjs';
import { median } from './statistics.mjs';

/** @import { IncomingBlock } from '@monero-node/blockchain' */

const FORKS = { 16: '16:1', 18: '16:1,17:2,18:3' };
const VERSIONS = /** @type {const} */ ([16, 18]);
/** Blocks after which coins are unlocked, and in the tree. */
const UNLOCK_BLOCKS = 61;
/** Blocks whose coinbases are enough for rings. */
const RING_BLOCKS = 110;
const PAYMENTS_OF_BLOCK = 5;
const XMR = 1_000_000_000_000n;

/**
 * Makes a chain. Every coin pays once.
 *
 * @param {16 | 18} version
 * @param {number} transactions
 * @returns {Promise<IncomingBlock[]>} the blocks above genesis
 */
async function makeChain(version, transactions) {
  const node = await startNode({ forks: FORKS[version] });
  try {
    const [payer, shop] = [devAccount(3), devAccount(4)];
    await node.mine(transactions, payer.address);
    await node.mine(Math.max(UNLOCK_BLOCKS, RING_BLOCKS - transactions));
    for (let made = 0; made < transactions; made++) {
      await node.pay({ from: payer, to: shop.address, amount: XMR });
      if (made % PAYMENTS_OF_BLOCK === PAYMENTS_OF_BLOCK - 1) await node.mine();
    }
    await node.mine();
    const { store } = node.node.blockchain;
    return Array.from({ length: node.height - 1 }, (_, i) => {
      const block = store.blockBlob(i + 1);
      if (block === undefined) throw new Error(`block ${i + 1} is missing`);
      const txs = store
        .blockTxs(i + 1)
        .slice(1)
        .map(({ pruned, prunable }) => Buffer.concat([pruned, prunable]));
      return parseBundle({ block, txs });
    });
  } finally {
    await node.stop();
  }
}

/**
 * Takes a chain over. Throws Error when a block is refused.
 *
 * @param {16 | 18} version
 * @param {readonly IncomingBlock[]} blocks
 * @param {number} threads
 */
async function takeOver(version, blocks, threads) {
  const path = mkdtempSync(join(tmpdir(), 'bench-fork-sync-'));
  const store = await openLmdbStore({ path });
  const verifier = createVerificationPool({
    threads,
    fcmpModule: import.meta.resolve('@monero-node/fcmp/verifier'),
  });
  const network = withOverrides(NETWORKS.regtest, {
    fixedDifficulty: 1n,
    hardForks: parsePrivateForks(FORKS[version]),
  });
  const pow = {
    name: 'none',
    hash: () => Promise.resolve(new Uint8Array(32)),
    close: () => Promise.resolve(),
  };
  try {
    const chain = await openBlockchain(
      { network },
      { store, pow, verifier, backend: createBackend() },
    );
    const processor = process.cpuUsage();
    const before = performance.now();
    const { results } = await chain.addSpan(blocks);
    const seconds = (performance.now() - before) / 1000;
    const { user, system } = process.cpuUsage(processor);
    const refused = results.find(({ status }) => status !== 'added');
    if (refused !== undefined) throw new Error(`a block was refused: ${JSON.stringify(refused)}`);
    await chain.stop();
    return { seconds, processorSeconds: (user + system) / 1e6 };
  } finally {
    await verifier.close();
    await store.close();
    rmSync(path, { recursive: true });
  }
}

/** @param {string[]} args */
export async function forkSync(args) {
  const { values } = parseArgs({
    args,
    options: {
      transactions: { type: 'string', default: '20' },
      threads: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
      out: { type: 'string', default: 'bench-fork-sync.json' },
    },
  });
  const [transactions, threads, rounds] = [values.transactions, values.threads, values.rounds].map(
    Number,
  );
  if (!transactions || !threads || !rounds) throw new Error('numbers of 1 and more are expected');
  const chains = new Map();
  for (const version of VERSIONS) chains.set(version, await makeChain(version, transactions));
  /** @type {Record<16 | 18, { seconds: number, processorSeconds: number }[]>} */
  const taken = { 16: [], 18: [] };
  for (let round = 0; round < rounds; round++) {
    for (const version of VERSIONS)
      taken[version].push(await takeOver(version, chains.get(version), threads));
  }
  const rows = VERSIONS.map((version) => ({
    version,
    blocks: chains.get(version).length,
    seconds: median(taken[version].map(({ seconds }) => seconds)),
    processorSeconds: median(taken[version].map(({ processorSeconds }) => processorSeconds)),
  }));
  console.log(
    `\n${machineText()}; ${transactions} transactions of one input, ${threads} threads, median of ${rounds}\n`,
  );
  for (const { version, blocks, seconds, processorSeconds } of rows) {
    const each = (1000 * processorSeconds) / transactions;
    console.log(
      `version ${version}: ${blocks} blocks, ${seconds.toFixed(2)} s, ${processorSeconds.toFixed(2)} s of processors, ${each.toFixed(0)} ms a transaction`,
    );
  }
  warnWhenBusy();
  const figures = { machine: describeMachine(), transactions, threads, rows };
  writeFileSync(values.out, `${JSON.stringify(figures, undefined, 2)}\n`);
}
