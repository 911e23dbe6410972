// monerod's own benchmark program (Debian: package monero-tests), test by test.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM =
  process.env.MONERO_PERFORMANCE_TESTS ?? '/usr/lib/monero/tests/bin/performance_tests';
/** Range proof tests make so few calls that they are over in a moment. */
const MORE_LOOPS = /bulletproof/;
/** Time that the program gets to start. */
const TIE_LIMIT_MS = 5000;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Runs one test; returns microseconds of a call, `{ median, best }`, or undefined when it does not know the test. */
function runTest(test, cpu) {
  return new Promise((resolve, reject) => {
    const args = ['--verbose', '--stats', `--filter=${escaped(test)}`];
    if (MORE_LOOPS.test(test)) args.push('--loop-multiplier', '10');
    // It leaves a log file where it stands.
    const child = spawn(PROGRAM, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', reject).once('close', () => {
      const figures = /min:\s+(\d+) ns[^]*median:\s+(\d+) ns/.exec(output);
      const [best, median] = figures?.slice(1).map((ns) => Number(ns) / 1000) ?? [];
      resolve(figures ? { median, best } : undefined);
    });
    if (cpu !== undefined) moveTo(child.pid, cpu).catch(reject);
  });
}

/** The processors that a process may run on, as text; undefined when it is over. */
function allowedProcessors(pid) {
  try {
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Moves a copy of the program, which ties itself to the second processor when it starts, to another.
 * It then warms up for some hundred milliseconds, so this comes before the measurement.
 */
async function moveTo(pid, cpu) {
  const end = performance.now() + TIE_LIMIT_MS;
  for (;;) {
    const allowed = allowedProcessors(pid);
    if (allowed === undefined) return;
    if (/^\d+$/.test(allowed) || performance.now() > end) break;
    await sleep(5);
  }
  const moved = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `${cpu}`, `${pid}`]);
  if (moved.status !== 0) throw new Error('taskset (util-linux) could not move the baseline');
}

/**
 * Baselines, each upstream test run once. With `copies` above 1 that many copies of the program run
 * at the same time, each on its own processor, and the figure is the time per unit of all together.
 */
export class MoneroTests {
  #copies;
  #times = new Map();

  constructor(copies = 1) {
    this.#copies = copies;
  }

  #time(test) {
    if (!this.#times.has(test)) this.#times.set(test, this.#run(test));
    return this.#times.get(test);
  }

  async #run(test) {
    if (this.#copies === 1) return runTest(test);
    const times = await Promise.all(
      Array.from({ length: this.#copies }, (_, cpu) => runTest(test, cpu)),
    );
    if (times.includes(undefined)) return undefined;
    const together = (which) => 1 / times.reduce((sum, time) => sum + 1 / time[which], 0);
    return { median: together('median'), best: together('best') };
  }

  /** Microseconds of one unit of work, `{ median, best }`; undefined when the program or one of the tests is not there. */
  async microseconds({ terms }) {
    if (!existsSync(PROGRAM)) return undefined;
    const sum = { median: 0, best: 0 };
    for (const [test, count] of Object.entries(terms)) {
      const time = await this.#time(test);
      if (time === undefined) return undefined;
      sum.median += count * time.median;
      sum.best += count * time.best;
    }
    return sum;
  }
}
