// Synchronises a chain through all hard forks with full verification, by monerod and by our daemon in turn, and
// compares them era by era.
//
//   npm run bench -- era-sync --data DIR --forks FILE --monerod PROGRAM [--rounds 3] [--out FILE]
//
// DIR: data directory of a stopped monerod with that chain, on stagenet. FILE: the heights of the forks, as for the
// daemon's option --hard-forks. PROGRAM: a monerod with the same heights. Suite 17 of apps/daemon-e2e makes all
// three: `node tools/run-e2e.mjs --keep 17-`. Our daemon serves the chain to both.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './busy.mjs';
import { startDaemon } from './nodes.mjs';
import { withPrograms } from './programs.mjs';
import { connection, watch } from './sync/measure-sync.mjs';
import { median } from './median.mjs';

const OUR_TOOL = fileURLToPath(new URL('../../apps/daemon/dist/chain-tool.js', import.meta.url));
const NETWORK = ['--stagenet'];
/** monerod's compiler for CryptoNight R ends the process in the patched copy. */
const MONEROD_ENV = { MONERO_USE_CNV4_JIT: '0' };
/** Consecutive fork versions with the same kinds of proofs: first version, name. */
const ERAS = [
  [1, 'ring signatures, CryptoNight'],
  [4, 'Borromean range proofs'],
  [7, 'the same, CryptoNight v1'],
  [8, 'Bulletproofs, CryptoNight v2'],
  [10, 'Bulletproofs, CryptoNight R'],
  [12, 'Bulletproofs, RandomX'],
  [13, 'CLSAG'],
  [15, 'Bulletproofs+'],
];

/** Returns a figure of the samples at a height, interpolated between the samples around it. */
function at(samples, height, figure) {
  const next = samples.findIndex((sample) => sample.height >= height);
  const [before, after] = [samples[Math.max(0, next - 1)], samples[next]];
  if (after.height === before.height) return figure(after);
  const part = (height - before.height) / (after.height - before.height);
  return figure(before) + part * (figure(after) - figure(before));
}

/** Returns the seconds, and those of CPU, of each era. */
function costsOf(samples, eras) {
  return eras.map(({ from, to }) => {
    const spent = (figure) => at(samples, to, figure) - at(samples, from, figure);
    return {
      seconds: spent(({ time }) => time) / 1000,
      cpuSeconds: spent(({ cpu }) => cpu),
    };
  });
}

/** Returns the eras with their heights: `from` up to `to`. */
function erasOf(forks, height) {
  const start = (version) => forks.find((fork) => fork.version === version)?.height ?? height;
  return ERAS.map(([version, name], i) => ({
    name,
    from: Math.max(1, start(version)),
    to: i + 1 < ERAS.length ? start(ERAS[i + 1][0]) : height,
  }));
}

/** Synchronises a fresh node. Returns its samples. */
async function synchronise(start, { name, ours, extra, env }, source, dir) {
  const dataDir = mkdtempSync(join(dir, `${name}-`));
  const node = await startDaemon(start, {
    ...{ name, ours, dataDir, network: NETWORK, peer: source.peer },
    ...{ extra, env },
  });
  await connection(node, source);
  const { height } = await source.info();
  const samples = await watch(node, source, height);
  node.rpc.close();
  await node.program.stop();
  rmSync(dataDir, { recursive: true });
  return samples;
}

function print(eras, rounds) {
  const figure = (name, i, key) => median(rounds[name].map((round) => round[i][key]));
  console.log(
    `${'era'.padEnd(34)}${'blocks'.padStart(8)}${'monerod s'.padStart(11)}${'CPU s'.padStart(8)}${'ours s'.padStart(9)}${'CPU s'.padStart(8)}${'ratio'.padStart(8)}`,
  );
  for (const [i, { name, from, to }] of eras.entries()) {
    const [theirs, mine] = ['monerod', 'ours'].map((who) => figure(who, i, 'seconds'));
    console.log(
      `${name.padEnd(34)}${String(to - from).padStart(8)}${theirs.toFixed(1).padStart(11)}${figure('monerod', i, 'cpuSeconds').toFixed(1).padStart(8)}${mine.toFixed(1).padStart(9)}${figure('ours', i, 'cpuSeconds').toFixed(1).padStart(8)}${(theirs / mine).toFixed(2).padStart(8)}`,
    );
  }
}

export async function eraSync(args) {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      forks: { type: 'string' },
      monerod: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      out: { type: 'string', default: 'bench-era-sync.json' },
    },
  });
  if (!values.data || !values.forks || !values.monerod)
    throw new Error('usage: era-sync --data DIR --forks FILE --monerod PROGRAM');
  // The daemons run in folders of their own.
  const [data, forkFile, monerod] = [values.data, values.forks, values.monerod].map((path) =>
    resolve(path),
  );
  const forks = JSON.parse(readFileSync(forkFile, 'utf8'));
  process.env.MONEROD = monerod;
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  const own = join(dir, 'source');
  mkdirSync(own);
  const mine = ['--hard-forks', forkFile];
  try {
    execFileSync(
      process.execPath,
      [
        ...[OUR_TOOL, 'import', ...NETWORK, '--fixed-difficulty', '1', ...mine],
        ...['--data-dir', own, '--from-monerod', data, '--dangerous-unverified-import'],
      ],
      { stdio: 'ignore' },
    );
    const { eras, rounds } = await withPrograms(async (start) => {
      const source = await startDaemon(start, {
        ...{ name: 'source', ours: true, dataDir: own, network: NETWORK, extra: mine },
      });
      const { height } = await source.info();
      const found = erasOf(forks, height);
      const costs = { monerod: [], ours: [] };
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const node of [
          { name: 'monerod', ours: false, extra: [], env: MONEROD_ENV },
          { name: 'ours', ours: true, extra: mine },
        ]) {
          const samples = await synchronise(start, node, source, dir);
          costs[node.name].push(costsOf(samples, [...found, { from: 1, to: height }]));
        }
      }
      return { eras: [...found, { name: 'all', from: 1, to: height }], rounds: costs };
    });
    print(eras, rounds);
    warnWhenBusy();
    const report = { date: new Date().toISOString(), eras, rounds };
    writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
