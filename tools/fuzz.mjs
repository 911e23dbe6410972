// Feeds the decoders with hostile input; docs/internals/fuzzing.md says how it works:
//
//   npm run fuzz -- NAME… | all [--seconds N | --minutes N] [--jobs N] [--seed N]
//   npm run fuzz -- NAME --input FILE
//   npm run fuzz -- --list
//
// Prints a row for each target. Findings are saved to .fuzz/NAME/findings; the exit code is then 1.
import './setup.mjs';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { currentAge, currentInput, forgetCurrent, writeFinding } from './fuzz/files.mjs';
import { findTargets } from './fuzz/targets.mjs';

const CHILD = fileURLToPath(new URL('./fuzz/child.mjs', import.meta.url));
/** An input that runs for so long hangs. A busy machine needs seconds for what should take milliseconds. */
const HANG_MS = 60_000;
const HEAP_MB = 1024;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    minutes: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string' },
    input: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

function positive(name, fallback) {
  const value = Number(values[name] ?? fallback);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
}

function startChild(targets, args) {
  const options = [
    '--conditions=@monero-node/source',
    '--enable-source-maps',
    '--disable-warning=ExperimentalWarning',
    `--max-old-space-size=${HEAP_MB}`,
  ];
  const list = targets.map(({ name, file }) => `${name}=${file}`);
  return spawn(process.execPath, [...options, CHILD, ...args, ...list], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const results = [];

function report(result) {
  results.push(result);
  const { name, executions, seconds, places, corpusSize, findings, slowest } = result;
  const cells = [executions, seconds.toFixed(0), places, corpusSize, findings, slowest.toFixed(0)];
  console.log(name.padEnd(22) + cells.map((cell) => String(cell).padStart(12)).join(''));
}

/** Records the input that ended a process, or that it could not finish. */
function reportDeath(name, why) {
  const input = currentInput(name);
  const path = input && writeFinding(name, input, why);
  console.error(`${name}: ${why}${path ? `\n  saved as ${path}` : ''}`);
  report({ name, executions: 0, seconds: 0, places: 0, corpusSize: 0, findings: 1, slowest: 0 });
}

/** Runs targets in one process; when one ends the process, goes on with the next in a new one. */
async function runAll(targets, milliseconds, seed) {
  const left = [...targets];
  for (const { name } of targets) forgetCurrent(name);
  while (left.length > 0) {
    const child = startChild(left, [String(milliseconds), String(seed)]);
    let hangs = false;
    const watch = setInterval(() => {
      hangs = currentAge(left[0]?.name) > HANG_MS;
      if (hangs) child.kill('SIGKILL');
    }, 5000);
    const ended = new Promise((resolve) =>
      child.on('exit', (code, signal) => resolve({ code, signal })),
    );
    for await (const line of createInterface({ input: child.stdout })) {
      report(JSON.parse(line));
      left.shift();
    }
    const { code, signal } = await ended;
    clearInterval(watch);
    if (left.length === 0) return;
    const { name } = left.shift();
    reportDeath(name, hangs ? 'an input hangs' : `the process ended with ${signal ?? code}`);
  }
}

async function main() {
  const all = findTargets();
  if (values.list || positionals.length === 0) {
    console.log(all.map(({ name }) => name).join('\n'));
    return 0;
  }
  const unknown = positionals.find((name) => name !== 'all' && !all.some((t) => t.name === name));
  if (unknown !== undefined) throw new Error(`there is no target '${unknown}'; see --list`);
  const chosen = all.filter(
    ({ name }) => positionals.includes(name) || positionals.includes('all'),
  );
  if (values.input !== undefined) {
    const child = startChild(chosen.slice(0, 1), ['--input', values.input]);
    child.stdout.pipe(process.stdout);
    return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
  }
  const seconds = values.minutes ? 60 * positive('minutes') : positive('seconds', 60);
  const jobs = positive('jobs');
  const seed = values.seed === undefined ? Date.now() % 2 ** 32 : positive('seed');
  console.log(`seed ${seed}\n`);
  console.log(
    'target                  executions     seconds      places      corpus    findings  slowest ms',
  );
  const lists = Array.from({ length: jobs }, (_, job) => chosen.filter((_, i) => i % jobs === job));
  await Promise.all(lists.map((list) => runAll(list, 1000 * seconds, seed)));
  return results.some(({ findings }) => findings > 0) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`fuzz: ${error.message}`);
  process.exitCode = 2;
}
