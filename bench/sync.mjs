// Synchronizes a chain made by heavy-chain.mjs from a monerod, first with a fresh monerod, then
// with our daemon, with the same flags one after the other, and compares.
//
//   npm run bench -- sync --chain DIR [--backend NAME]... [--no-monerod] [--probe-monerod] [--no-probe]
//     [--out FILE] [-- DAEMON FLAGS]
//
// --backend runs our daemon once for each crypto backend named, by default once with the default backend.
// Meanwhile the response time of our RPC is measured every 50 ms; that of monerod, the baseline, only with
// --probe-monerod. For the processor time of the JavaScript thread use --no-probe: answers cost it time, too. The flags after -- are for our daemon only.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './machine.mjs';
import { startDaemon } from './nodes.mjs';
import { withPrograms } from './programs.mjs';
import { measureSync } from './sync/measure-sync.mjs';
import { present } from './values.mjs';
import { formatTable } from './sync/table.mjs';

/**
 * @import { RecordedChain } from './chain/recorder.mjs'
 * @import { Daemon } from './nodes.mjs'
 * @import { Measured } from './sync/measure-sync.mjs'
 */

const HEADERS_PER_CALL = 1000;

/** @param {string[]} args */
function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      chain: { type: 'string' },
      backend: { type: 'string', multiple: true },
      monerod: { type: 'boolean', default: true },
      'probe-monerod': { type: 'boolean', default: false },
      probe: { type: 'boolean', default: true },
      out: { type: 'string', default: 'bench-sync.json' },
    },
  });
  const description = join(values.chain ?? '', 'chain.json');
  if (values.chain === undefined || !existsSync(description)) {
    throw new Error('usage: sync --chain DIR, a directory recorded by heavy-chain');
  }
  /** @type {RecordedChain} */
  const chain = JSON.parse(readFileSync(description, 'utf8'));
  return { ...values, flags: positionals, chainDir: values.chain, chain };
}

/**
 * Returns, for every height, the number of transactions in the blocks from there to the top.
 *
 * @param {Daemon} source
 * @param {number} chainHeight
 */
async function countTransactions(source, chainHeight) {
  /** @type {number[]} */
  const from = new Array(chainHeight + 1).fill(0);
  /** @param {number} height */
  const fromHeight = (height) => present(from[height]);
  for (let end = chainHeight; end > 0; end -= HEADERS_PER_CALL) {
    const { headers } = await source.rpc.call('get_block_headers_range', {
      start_height: Math.max(0, end - HEADERS_PER_CALL),
      end_height: end - 1,
    });
    for (const header of headers.reverse()) {
      from[header.height] = fromHeight(header.height + 1) + header.num_txes;
    }
  }
  return fromHeight;
}

/**
 * Returns the nodes to measure, in order.
 *
 * @param {Omit<ReturnType<typeof readOptions>, 'chain' | 'chainDir' | 'out'>} options
 * @returns {Measured[]}
 */
function nodesToMeasure({ monerod, 'probe-monerod': probeMonerod, probe, backend, flags }) {
  const ours = backend
    ? backend.map((name) => ({ name: `ours (${name})`, extra: ['--crypto-backend', name] }))
    : [{ name: 'ours', extra: [] }];
  return [
    ...(monerod ? [{ name: 'monerod', probe: probeMonerod }] : []),
    ...ours.map(({ name, extra }) => ({
      name,
      ours: true,
      probe,
      extra: [...extra, ...flags],
    })),
  ];
}

/** @param {string[]} args */
export async function sync(args) {
  const { chain, chainDir, out, ...options } = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    const results = await withPrograms(async (start) => {
      // A copy, because the source must not change the recording.
      const sourceDir = join(dir, 'source');
      cpSync(join(chainDir, 'data'), sourceDir, { recursive: true });
      const source = await startDaemon(start, { name: 'source', dataDir: sourceDir });
      const { top_block_hash: top } = await source.info();
      if (top !== chain.topHash)
        throw new Error('the chain differs from the description in chain.json');
      const transactionsFrom = await countTransactions(source, chain.height);
      const measured = [];
      for (const what of nodesToMeasure(options)) {
        console.log(`synchronizing ${what.name} ...`);
        measured.push(await measureSync(start, what, { source, dir, chain, transactionsFrom }));
      }
      return measured;
    });
    const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} threads, Node ${process.version}`;
    console.log(`\n${machine}\n${formatTable(chain, results)}`);
    warnWhenBusy();
    writeFileSync(
      out,
      `${JSON.stringify({ date: new Date().toISOString(), machine, chain, results }, null, 2)}\n`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
