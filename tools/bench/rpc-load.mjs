// Measures the requests per second that monerod and our daemon answer on the same chain, in alternating runs.
//
//   npm run bench -- rpc [--seconds N] [--rounds N] [--connections N] [--out FILE]
//
// Uses the recorded chain of apps/daemon-e2e: monerod imports it, and our daemon synchronises it from
// there. Every answer must be HTTP 200; its length is compared once with that of monerod's answer.
import autocannon from 'autocannon';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './busy.mjs';
import { startDaemon } from './nodes.mjs';
import { LOOPBACK, waitFor, withPrograms } from './programs.mjs';
import { median } from './median.mjs';

const CHAIN = fileURLToPath(new URL('../../apps/daemon-e2e/fixtures/chain.raw', import.meta.url));
const IMPORT = process.env.MONERO_BLOCKCHAIN_IMPORT ?? 'monero-blockchain-import';
const BLOCKS = 100;
const TRANSACTIONS = 10;
/** Number of connections, which exceeds the default limit for a private address. */
const MANY_CONNECTIONS = ['--rpc-max-connections-per-private-ip', '100'];

const rpc = (method, params) => ({
  path: '/json_rpc',
  body: JSON.stringify({ jsonrpc: '2.0', id: '0', method, params }),
});

/** Returns a portable storage document that requests blocks from a height on. */
function blocksFrom(height, genesis) {
  const name = (text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(height));
  return Buffer.concat([
    Buffer.from('011101010101020101', 'hex'),
    Buffer.from([3 << 2]),
    ...[name('block_ids'), Buffer.from([10, 32 << 2]), Buffer.from(genesis, 'hex')],
    ...[name('prune'), Buffer.from([11, 1])],
    ...[name('start_height'), Buffer.from([5]), start],
  ]);
}

/** Returns the calls to measure. */
async function calls(node) {
  const { height } = await node.info();
  const headers = await node.rpc.call('get_block_headers_range', {
    start_height: 0,
    end_height: height - 1,
  });
  const full = headers.headers.filter(({ num_txes }) => num_txes > 0);
  const hashes = [];
  for (const { hash } of full) {
    if (hashes.length >= TRANSACTIONS) break;
    hashes.push(...((await node.rpc.call('get_block', { hash })).tx_hashes ?? []));
  }
  const genesis = headers.headers[0].hash;
  return [
    { name: 'get_info', ...rpc('get_info') },
    { name: 'get_block_header_by_height', ...rpc('get_block_header_by_height', { height: 700 }) },
    {
      // More heights than our daemon caches answers for.
      name: 'the same, every height',
      path: '/json_rpc',
      bodies: headers.headers.map(
        (header) => rpc('get_block_header_by_height', { height: header.height }).body,
      ),
    },
    {
      name: `get_transactions (${TRANSACTIONS})`,
      path: '/get_transactions',
      body: JSON.stringify({ txs_hashes: hashes.slice(0, TRANSACTIONS) }),
    },
    {
      name: `getblocks.bin (${BLOCKS})`,
      path: '/getblocks.bin',
      body: blocksFrom(height - BLOCKS, genesis),
    },
  ];
}

/** Runs the load against a daemon once. */
async function run(node, call, { connections, seconds }) {
  const result = await autocannon({
    url: `http://${LOOPBACK}:${node.rpcPort}${call.path}`,
    method: 'POST',
    ...(call.bodies
      ? { requests: call.bodies.map((body) => ({ method: 'POST', path: call.path, body })) }
      : { body: call.body }),
    connections,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(`${call.name}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return result['2xx'] / result.duration;
}

async function bothDaemons(start, dir) {
  const data = join(dir, 'monerod');
  mkdirSync(data);
  const flags = ['--regtest', '--keep-fakechain', '--fixed-difficulty', '1', '--offline'];
  execFileSync(IMPORT, [...flags, '--data-dir', data, '--input-file', CHAIN, '--log-level', '0'], {
    cwd: dir,
    stdio: 'ignore',
  });
  const monerod = await startDaemon(start, {
    name: 'monerod',
    dataDir: data,
    extra: MANY_CONNECTIONS,
  });
  const ours = await startDaemon(start, {
    ...{ name: 'ours', ours: true, dataDir: join(dir, 'ours'), peer: monerod.peer },
    extra: MANY_CONNECTIONS,
  });
  const { height } = await monerod.info();
  await waitFor(
    ours.program,
    'our daemon to have the chain',
    async () => (await ours.info()).height === height,
    400_000,
  );
  return { monerod, ours };
}

export async function rpcLoad(args) {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      out: { type: 'string', default: 'bench-rpc.json' },
    },
  });
  const load = { connections: Number(values.connections), seconds: Number(values.seconds) };
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  try {
    const results = await withPrograms(async (start) => {
      const { monerod, ours } = await bothDaemons(start, dir);
      const measured = [];
      for (const call of await calls(monerod)) {
        const rates = { monerod: [], ours: [] };
        for (const node of [monerod, ours]) await run(node, call, { ...load, seconds: 1 });
        for (let round = 0; round < Number(values.rounds); round++) {
          rates.monerod.push(await run(monerod, call, load));
          rates.ours.push(await run(ours, call, load));
        }
        const [theirs, mine] = [median(rates.monerod), median(rates.ours)];
        measured.push({
          call: call.name,
          monerod: theirs,
          ours: mine,
          ratio: mine / theirs,
          rates,
        });
        console.log(
          `${call.name.padEnd(28)} monerod ${theirs.toFixed(0).padStart(7)}/s   ours ${mine.toFixed(0).padStart(7)}/s   ratio ${(mine / theirs).toFixed(2)}`,
        );
      }
      return measured;
    });
    const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} threads, Node ${process.version}`;
    warnWhenBusy();
    writeFileSync(
      values.out,
      `${JSON.stringify({ date: new Date().toISOString(), machine, ...load, results }, null, 2)}\n`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
