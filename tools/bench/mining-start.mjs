// Measures how many blocks the built-in miners of our daemon and of monerod find, from the first second on.
//
//   npm run bench -- mining-start [--difficulty N] [--seconds N] [--rounds N] [--threads LIST]
//     [--daemons ours,monerod] [--out FILE]
//
// A block of a known difficulty stands for as many hashes, so the rates come from the blocks that were found, with the
// interval in which the true rate is 95 % of the time. Beside them: the rates that the daemons report, and the seconds
// until a daemon reports one. Both look at their speed every two seconds. One daemon runs at a time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './busy.mjs';
import { machineText } from './machine.mjs';
import { ADDRESS, startDaemon } from './nodes.mjs';
import { withPrograms } from './programs.mjs';

/** Milliseconds between two looks at a daemon. */
const LOOK = 200;
/** Seconds after the start at which a new stretch begins. */
const STRETCHES = [0, 30, 60];

/** Mines for some seconds; returns a sample for each look. */
async function mine(node, threads, seconds) {
  const begin = performance.now();
  const answer = await node.rpc.path('/start_mining', {
    miner_address: ADDRESS,
    threads_count: threads,
    do_background_mining: false,
    ignore_battery: true,
  });
  if (answer.status !== 'OK') throw new Error(`${node.name}: start_mining: ${answer.status}`);
  const samples = [];
  for (;;) {
    const { speed } = await node.rpc.path('/mining_status');
    const { height } = await node.rpc.path('/get_info');
    const second = (performance.now() - begin) / 1000;
    samples.push({ second, height, speed });
    if (second >= seconds) break;
    await sleep(LOOK);
  }
  await node.rpc.path('/stop_mining');
  return samples;
}

/** Returns what was found and reported in each stretch. */
function stretchesOf(samples, difficulty) {
  return STRETCHES.map((from, i) => {
    const to = STRETCHES[i + 1] ?? Infinity;
    const within = samples.filter(({ second }) => second >= from && second < to);
    const [first, last] = [within[0], within.at(-1)];
    if (first === undefined || last === first) return undefined;
    const speeds = within.map(({ speed }) => speed);
    return {
      from,
      seconds: last.second - first.second,
      blocks: last.height - first.height,
      difficulty,
      reported: speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length,
    };
  }).filter((stretch) => stretch !== undefined);
}

/** Returns the hashes per second that the blocks of several runs stand for, and twice the standard error; undefined without a run. */
function rateOf(stretches) {
  if (stretches.length === 0) return undefined;
  const sum = (of) => stretches.reduce((total, stretch) => total + of(stretch), 0);
  const blocks = sum((each) => each.blocks);
  const seconds = sum((each) => each.seconds);
  const hashes = blocks * (stretches[0]?.difficulty ?? 0);
  return {
    blocks,
    rate: hashes / seconds,
    error: blocks === 0 ? Infinity : (1.96 * hashes) / Math.sqrt(blocks) / seconds,
    reported: sum((each) => each.reported * each.seconds) / seconds,
  };
}

function rowsOf(runs, threads) {
  return STRETCHES.map((from) => {
    const of = (name) =>
      rateOf(runs[name].flatMap((run) => run.stretches).filter((each) => each.from === from));
    const [monerod, ours] = [of('monerod'), of('ours')];
    return { threads, from, monerod, ours, ratio: ours?.rate / monerod?.rate };
  });
}

function print(rows) {
  const show = (of) =>
    of === undefined
      ? '–'
      : `${of.rate.toFixed(0)} ± ${of.error.toFixed(0)} (${of.blocks} blocks; reported ${of.reported.toFixed(0)})`;
  console.table(
    rows.map(({ threads, from, monerod, ours, ratio }) => ({
      threads,
      'from second': from,
      'monerod, hashes/s': show(monerod),
      'ours, hashes/s': show(ours),
      ratio: Number.isNaN(ratio) ? '–' : ratio.toFixed(2),
    })),
  );
}

async function run(dir, name, { difficulty, seconds }, threads) {
  const dataDir = mkdtempSync(join(dir, name));
  const options = { name, ours: name === 'ours', dataDir, offline: true };
  const samples = await withPrograms(async (start) =>
    mine(
      await startDaemon(start, { ...options, fixedDifficulty: String(difficulty) }),
      threads,
      seconds,
    ),
  );
  const firstRate = samples.find(({ speed }) => speed > 0)?.second;
  const firstBlock = samples.find(({ height }) => height > samples[0].height)?.second;
  console.log(
    `${name}, ${threads} threads: first rate after ${firstRate?.toFixed(1)} s, first block after ${firstBlock?.toFixed(1)} s`,
  );
  return { firstRate, firstBlock, stretches: stretchesOf(samples, difficulty) };
}

export async function miningStart(args) {
  const { values } = parseArgs({
    args,
    options: {
      difficulty: { type: 'string', default: '450' },
      seconds: { type: 'string', default: '150' },
      rounds: { type: 'string', default: '1' },
      threads: { type: 'string', default: '1,2' },
      daemons: { type: 'string', default: 'monerod,ours' },
      out: { type: 'string', default: 'bench-mining-start.json' },
    },
  });
  const [difficulty, seconds, rounds] = ['difficulty', 'seconds', 'rounds'].map((name) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} needs a whole number`);
    return value;
  });
  const daemons = values.daemons.split(',');
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-bench-'));
  const results = [];
  try {
    for (const threads of values.threads.split(',').map(Number)) {
      const runs = { monerod: [], ours: [] };
      for (let round = 0; round < rounds; round++) {
        for (const name of daemons)
          runs[name].push(await run(dir, name, { difficulty, seconds }, threads));
      }
      const rows = rowsOf(runs, threads);
      print(rows);
      results.push({ threads, rows, runs });
    }
    const machine = machineText();
    console.log(`\n${machine}, difficulty ${difficulty}`);
    warnWhenBusy();
    const report = { date: new Date().toISOString(), machine, difficulty, seconds, rounds };
    writeFileSync(values.out, `${JSON.stringify({ ...report, results }, null, 2)}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
