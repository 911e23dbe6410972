// Measures how fast a daemon starts on an existing chain and stops again, and its memory before anything has been verified:
// ours and monerod by turns, offline, on the chain recorded for apps/daemon-e2e.
//
//   npm run bench -- start-stop [--rounds 10] [--settle SECONDS] [--monerod] [--max-start MS] [--max-stop MS]
//     [--max-resident MB] [--max-version MS] [--max-status MS] [--out FILE] [-- DAEMON FLAGS]
//
// A start ends with the first answer to get_info, a stop with the end of the process after SIGTERM. Between them the daemon is
// left alone for --settle seconds (2), then its memory is read, then it is asked for its status by the same program, and the
// program for its version. RandomX's cache is not in memory, because no block arrives.
// The flags after -- are for our daemon only. Ends with status 1 when a median of ours is over 500 ms, 300 ms, 90 MB, 100 ms
// or 250 ms.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './busy.mjs';
import { machineText } from './machine.mjs';
import { median } from './median.mjs';
import { daemonCommand, startDaemon } from './nodes.mjs';
import { memoryOf } from './process-use.mjs';
import { cpuSeconds, cpuSecondsOfChildren, withPrograms } from './programs.mjs';
import { importIntoMonerod, importIntoOurs } from './recorded-chain.mjs';

/** Milliseconds between two questions whether a daemon answers. */
const POLL_MS = 5;

/** The figures of a round: heading, digits, how it is written, and the option with the most that is allowed. */
const FIGURES = {
  start: { label: 'start', unit: 'ms', limit: 'max-start' },
  startCpu: { label: 'CPU of start', unit: 'ms' },
  stop: { label: 'stop', unit: 'ms', limit: 'max-stop' },
  resident: { label: 'resident', unit: 'MB', limit: 'max-resident' },
  anonymous: { label: 'anonymous', unit: 'MB' },
  files: { label: 'of files', unit: 'MB' },
  version: { label: '--version', unit: 'ms', limit: 'max-version' },
  versionCpu: { label: 'CPU of --version', unit: 'ms' },
  status: { label: 'status', unit: 'ms', limit: 'max-status' },
  statusCpu: { label: 'CPU of status', unit: 'ms' },
};

function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      rounds: { type: 'string', default: '10' },
      settle: { type: 'string', default: '2' },
      monerod: { type: 'boolean', default: true },
      'max-start': { type: 'string', default: '500' },
      'max-stop': { type: 'string', default: '300' },
      'max-resident': { type: 'string', default: '90' },
      'max-version': { type: 'string', default: '100' },
      'max-status': { type: 'string', default: '250' },
      out: { type: 'string', default: 'bench-start-stop.json' },
    },
  });
  const numbers = Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => ['rounds', 'settle'].includes(name) || name.startsWith('max-'))
      .map(([name, text]) => {
        const value = Number(text);
        if (!(value > 0)) throw new Error(`--${name} needs a number above 0`);
        return [name, value];
      }),
  );
  return { ...values, ...numbers, flags: positionals };
}

/** Starts a daemon, leaves it alone, reads its memory and stops it. Returns the figures. */
async function startAndStop(start, { name, ours, dataDir, extra }, settle) {
  const what = { name, ours, quiet: true, dataDir, extra, offline: true, pollMs: POLL_MS };
  const { program, rpc, rpcPort, readyMs } = await startDaemon(start, what);
  const startCpu = 1000 * cpuSeconds(program.pid);
  rpc.close();
  await sleep(1000 * settle);
  const memory = memoryOf(program.pid);
  const version = timeCommand(ours, ['--version']);
  const status = timeCommand(ours, ['--rpc-bind-port', String(rpcPort), 'status']);
  const began = performance.now();
  await program.stop();
  const stop = performance.now() - began;
  return {
    ...{ start: readyMs, startCpu, stop, ...memory },
    ...{
      version: version.ms,
      versionCpu: version.cpuMs,
      status: status.ms,
      statusCpu: status.cpuMs,
    },
  };
}

/** Runs a daemon's program with these arguments until it ends. Returns how long it took, and its processor time. */
function timeCommand(ours, args) {
  const [command, ...first] = daemonCommand(ours);
  const [began, cpuBefore] = [performance.now(), cpuSecondsOfChildren()];
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args], { encoding: 'utf8' });
  const ms = performance.now() - began;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return { ms, cpuMs: 1000 * (cpuSecondsOfChildren() - cpuBefore) };
}

async function run(start, dir, { rounds, settle, monerod, flags }) {
  const kinds = [
    { name: 'ours', ours: true, dataDir: join(dir, 'ours'), extra: flags },
    ...(monerod ? [{ name: 'monerod', ours: false, dataDir: join(dir, 'monerod') }] : []),
  ];
  for (const { ours, dataDir } of kinds) (ours ? importIntoOurs : importIntoMonerod)(dataDir);
  const results = kinds.map(({ name }) => ({ name, rounds: [] }));
  // The round before the first fills the caches of the system.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, kind] of kinds.entries()) {
      const figures = await startAndStop(start, kind, settle);
      if (round > 0) results[i].rounds.push(figures);
    }
  }
  return results;
}

/** Returns the median of a figure of a daemon. */
const medianOf = (figure, { rounds }) => median(rounds.map((round) => round[figure]));

/** Returns the results as text, one row for each figure: the median, the least and the most of each daemon. */
function table(results) {
  const cells = Object.entries(FIGURES).map(([figure, { label, unit }]) => [
    label,
    ...results.map((result) => {
      const values = result.rounds.map((round) => round[figure]);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      return `${medianOf(figure, result).toFixed(0)} ${unit} (${least.toFixed(0)}–${most.toFixed(0)})`;
    }),
  ]);
  const lines = [['', ...results.map(({ name }) => name)], ...cells];
  return lines.map(([label, ...row]) => label.padEnd(18) + row.map(padded).join('')).join('\n');
}

const padded = (text) => text.padStart(22);

/** Returns one sentence for each median of ours over its limit. */
function problemsOf([ours], options) {
  return Object.entries(FIGURES).flatMap(([figure, { label, unit, limit }]) => {
    const value = medianOf(figure, ours);
    return limit !== undefined && value > options[limit]
      ? [`${label} of ours: ${value.toFixed(0)} ${unit}, more than ${options[limit]}`]
      : [];
  });
}

export async function startStop(args) {
  const options = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-start-stop-'));
  try {
    const results = await withPrograms((start) => run(start, dir, options));
    const machine = machineText();
    console.log(`\n${machine}; medians of ${options.rounds} rounds\n${table(results)}`);
    warnWhenBusy();
    writeFileSync(
      options.out,
      `${JSON.stringify({ date: new Date().toISOString(), machine, options, results }, null, 2)}\n`,
    );
    const problems = problemsOf(results, options);
    if (problems.length > 0) throw new Error(problems.join('; '));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
