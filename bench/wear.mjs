// Counts the bytes that a node writes to the disk: through a synchronization of a chain made by heavy-chain.mjs, and for each
// block at the tip, by monerod and by our daemon, one after the other.
//
//   npm run bench -- wear --chain DIR [--blocks 100] [--pace SECONDS] [--out FILE] [-- DAEMON FLAGS]
//
// The bytes are those of all programs on the device that holds the data, so it needs one of its own, on which the chain is not. TMPDIR names a folder of it:
//
//   truncate --size 4G disk.img && mkfs.ext4 disk.img && mount --options loop disk.img /mnt && TMPDIR=/mnt npm run bench -- wear ...
//
// At the tip, blocks come minutes apart and the system writes changed pages after 30 seconds, so the file system is written out four
// times while the transactions of a block come, and after the block. By default they come through the RPC, one upon another. Our node stores each of
// these twice: when it comes and when it was sent. With --pace they come from a peer instead, as most do, spread over so many seconds,
// and the block comes from there too. Log files are part of the figures. The flags after -- are for our daemon only.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeMachine, machineText } from './machine.mjs';
import { startDaemon } from './nodes.mjs';
import { waitFor, withPrograms } from './programs.mjs';
import { present } from './values.mjs';

/**
 * @import { RecordedChain } from './chain/recorder.mjs'
 * @import { Daemon } from './nodes.mjs'
 * @import { Start } from './programs.mjs'
 */
/**
 * A block to submit, with its transactions: hexadecimal.
 *
 * @typedef {{ blob: string, txs: string[] }} FullBlock
 */
/**
 * What a node wrote: bytes.
 *
 * @typedef {{ name: string, sync: number, perBlock: number }} Wear
 */

/** Times that the system writes dirty pages while the transactions of a block come: every 30 of 120 seconds. */
const WRITE_OUTS = 4;
/** Milliseconds after which a node has written what it writes behind an answer: ours stores some changes of its pool after ten seconds. */
const SETTLE = 12_000;
const SYNC_LIMIT = 600_000;
const POPPED_PER_CALL = 10;
/** Where the kernel shows how much was written: https://docs.kernel.org/block/stat.html. */
const WRITTEN_SECTORS = 6;
const SECTOR = 512;
const TXS_PER_CALL = 100;

/** @param {string[]} args */
function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      chain: { type: 'string' },
      blocks: { type: 'string', default: '100' },
      pace: { type: 'string', default: '0' },
      out: { type: 'string', default: 'bench-wear.json' },
    },
  });
  const description = join(values.chain ?? '', 'chain.json');
  if (values.chain === undefined || !existsSync(description)) {
    throw new Error('usage: wear --chain DIR, a directory recorded by heavy-chain');
  }
  /** @type {RecordedChain} */
  const chain = JSON.parse(readFileSync(description, 'utf8'));
  const blocks = Number(values.blocks);
  if (!Number.isInteger(blocks) || blocks < 1 || blocks >= chain.height) {
    throw new Error(`--blocks: a number from 1 to ${chain.height - 1} expected`);
  }
  const pace = Number(values.pace);
  if (!(pace >= 0)) throw new Error('--pace: a number of seconds expected');
  return { chain, blocks, pace, chainDir: values.chain, out: values.out, flags: positionals };
}

/**
 * Has the system write what files of a folder's device have in memory.
 *
 * @param {string} dir
 */
const writeOut = (dir) => execFileSync('sync', ['--file-system', dir]);

/**
 * Returns the bytes that were written to the device of a folder, now that nothing is in memory only.
 *
 * @param {string} dir
 */
function bytesWritten(dir) {
  writeOut(dir);
  const { dev } = statSync(dir);
  // As the kernel and the C library join them: https://man7.org/linux/man-pages/man3/makedev.3.html, of small numbers.
  const device = `${dev >> 8}:${dev & 0xff}`;
  const fields = readFileSync(`/sys/dev/block/${device}/stat`, 'latin1').trim().split(/\s+/);
  return Number(present(fields[WRITTEN_SECTORS])) * SECTOR;
}

/**
 * Returns a block of a node with its transactions, in order.
 *
 * @param {Daemon} source
 * @param {number} height
 * @returns {Promise<FullBlock>}
 */
async function readBlock(source, height) {
  const { blob, tx_hashes: ids = [] } = await source.rpc.call('get_block', { height });
  const txs = [];
  for (let from = 0; from < ids.length; from += TXS_PER_CALL) {
    const params = { txs_hashes: ids.slice(from, from + TXS_PER_CALL) };
    const answer = await source.rpc.path('/get_transactions', params);
    txs.push(...answer.txs.map((tx) => tx.as_hex));
  }
  return { blob, txs };
}

/**
 * Waits until a node is at a height.
 *
 * @param {Daemon} node
 * @param {number} height
 */
const untilHeight = (node, height) =>
  waitFor(
    node.program,
    `height ${height}`,
    async () => (await node.rpc.call('get_block_count')).count === height,
    SYNC_LIMIT,
  );

/**
 * Has a node write what it holds back. Throws Error when it refuses.
 *
 * @param {Daemon} node
 */
async function save(node) {
  const { status } = await node.rpc.path('/save_bc');
  if (status !== 'OK') throw new Error(`${node.name}: save_bc: ${status}`);
  await sleep(SETTLE);
}

/**
 * Takes the newest blocks from a node, and their transactions from its pool.
 *
 * @param {Daemon} node
 * @param {number} blocks
 */
async function popBlocks(node, blocks) {
  for (let left = blocks; left > 0; left -= POPPED_PER_CALL) {
    const nblocks = Math.min(left, POPPED_PER_CALL);
    const { status } = await node.rpc.path('/pop_blocks', { nblocks });
    if (status !== 'OK') throw new Error(`${node.name}: pop_blocks: ${status}`);
  }
  await node.rpc.call('flush_txpool');
}

/** @param {Daemon} node */
async function stop(node) {
  node.rpc.close();
  await node.program.stop();
}

/**
 * Sends a node a block as it comes at the tip: first the transactions, then the block.
 *
 * @param {Daemon} node that is sent to: the one to measure, or its peer
 * @param {FullBlock} block
 * @param {{ dir: string, pace: number }} options dir: of the data that is measured; pace: seconds for the transactions
 */
async function sendBlock(node, { blob, txs }, { dir, pace }) {
  const group = Math.max(1, Math.ceil(txs.length / WRITE_OUTS));
  for (const [i, hex] of txs.entries()) {
    const { status, reason } = await node.rpc.path('/send_raw_transaction', { tx_as_hex: hex });
    if (status !== 'OK') throw new Error(`${node.name} refuses a transaction: ${reason}`);
    await sleep((pace * 1000) / txs.length);
    if ((i + 1) % group === 0) writeOut(dir);
  }
  await node.rpc.call('submit_block', [blob]);
}

/**
 * Synchronizes a fresh node, takes its newest blocks away and sends them again one by one.
 *
 * @param {Start} start of withPrograms
 * @param {{ name: string, ours: boolean, extra: readonly string[] }} what
 * @param {{ source: Daemon, dir: string, height: number, pace: number, blocks: readonly FullBlock[] }} context
 * @returns {Promise<Wear>}
 */
async function measureWear(start, what, { source, dir, height, pace, blocks }) {
  const own = { ...what, quiet: true, dataDir: join(dir, what.name) };
  const atStart = bytesWritten(dir);
  const syncing = await startDaemon(start, { ...own, peer: source.peer });
  await untilHeight(syncing, height);
  await save(syncing);
  const sync = bytesWritten(dir) - atStart;
  await stop(syncing);

  const alone = await startDaemon(start, { ...own, offline: true });
  await popBlocks(alone, blocks.length);
  await stop(alone);
  await popBlocks(source, blocks.length);

  // With a peer, as a node that has nobody to ask does not count as synchronized.
  const node = await startDaemon(start, { ...own, peer: source.peer });
  await waitFor(
    node.program,
    'a connection',
    async () => (await source.info()).incoming_connections_count > 0,
  );
  await save(node);
  const before = bytesWritten(dir);
  const receiver = pace > 0 ? source : node;
  for (const [i, block] of blocks.entries()) {
    await sendBlock(receiver, block, { dir, pace });
    await untilHeight(node, height - blocks.length + i + 1);
    writeOut(dir);
  }
  await save(node);
  const perBlock = (bytesWritten(dir) - before) / blocks.length;
  await untilHeight(node, height);
  await untilHeight(source, height);
  await stop(node);
  return { name: what.name, sync, perBlock };
}

/**
 * @param {readonly Wear[]} results of monerod first
 * @param {{ chain: RecordedChain, blocks: readonly FullBlock[] }} what
 */
function print(results, { chain, blocks }) {
  const monerod = present(results[0]);
  const hex = blocks.flatMap(({ blob, txs }) => [blob, ...txs]);
  const bytes = hex.reduce((sum, each) => sum + each.length / 2, 0) / blocks.length;
  const txs = blocks.reduce((sum, each) => sum + each.txs.length, 0) / blocks.length;
  console.log(`\n${machineText()}`);
  console.log(
    `synchronization of ${chain.height} blocks and ${chain.transactions} transactions; ${blocks.length} blocks at the tip with ` +
      `${txs.toFixed(1)} transactions and ${(bytes / 1000).toFixed(1)} kB on average`,
  );
  console.table(
    results.map(({ name, sync, perBlock }) => ({
      '': name,
      'synchronization MB': (sync / 1e6).toFixed(1),
      ratio: (sync / monerod.sync).toFixed(2),
      'block at the tip kB': (perBlock / 1000).toFixed(1),
      'ratio at the tip': (perBlock / monerod.perBlock).toFixed(2),
    })),
  );
}

/** @param {string[]} args */
export async function wear(args) {
  const { chain, chainDir, blocks: count, pace, out, flags } = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  const sourceDir = mkdtempSync(join(chainDir, 'source-'));
  try {
    if (statSync(dir).dev === statSync(sourceDir).dev) {
      throw new Error(
        'TMPDIR has to be on another device than the chain, whose copy is written to',
      );
    }
    const { results, blocks } = await withPrograms(async (start) => {
      // A copy, because the source must not change the recording.
      cpSync(join(chainDir, 'data'), sourceDir, { recursive: true });
      const source = await startDaemon(start, { name: 'source', dataDir: sourceDir });
      /** @type {FullBlock[]} */
      const blocks = [];
      for (let height = chain.height - count; height < chain.height; height++) {
        blocks.push(await readBlock(source, height));
      }
      const context = { source, dir, height: chain.height, pace, blocks };
      const results = [];
      for (const what of [
        { name: 'monerod', ours: false, extra: [] },
        { name: 'ours', ours: true, extra: flags },
      ]) {
        console.log(`measuring ${what.name} ...`);
        results.push(await measureWear(start, what, context));
      }
      return { results, blocks };
    });
    print(results, { chain, blocks });
    const figures = { date: new Date().toISOString(), machine: describeMachine(), results };
    writeFileSync(out, `${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    for (const each of [dir, sourceDir]) rmSync(each, { recursive: true, force: true });
  }
}
