// monerod's own benchmark program (Debian: package monero-tests), test by test.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @import { Time } from './measure.mjs'
 */
/**
 * The upstream tests, with the number of calls of each, that do as much as one unit of a case. A `note` marks baselines that are
 * computed because upstream has no test for them.
 *
 * @typedef {{ terms: Record<string, number>, note?: string }} Baseline
 */

const PROGRAM =
  process.env.MONERO_PERFORMANCE_TESTS ?? '/usr/lib/monero/tests/bin/performance_tests';
/** Number of runs of range proof tests, whose few calls take only a moment. */
const MORE_LOOPS = /bulletproof/;
/** Longest time that the program may take to start. */
const TIE_LIMIT_MS = 5000;

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Runs a test; returns microseconds per call, `{ median, best }`, or undefined when the program lacks the test.
 *
 * @param {string} test
 * @param {number} [cpu] number of a processor
 * @returns {Promise<Time | undefined>}
 */
function runTest(test, cpu) {
  return new Promise((resolve, reject) => {
    const args = ['--verbose', '--stats', `--filter=${escaped(test)}`];
    if (MORE_LOOPS.test(test)) args.push('--loop-multiplier', '10');
    // It writes a log file into its working directory.
    const child = spawn(PROGRAM, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', reject).once('close', () => {
      const figures = /min:\s+(\d+) ns[^]*median:\s+(\d+) ns/.exec(output);
      if (figures === null) return resolve(undefined);
      resolve({ median: Number(figures[2]) / 1000, best: Number(figures[1]) / 1000 });
    });
    if (cpu !== undefined && child.pid !== undefined) moveTo(child.pid, cpu).catch(reject);
  });
}

/**
 * Returns the processors on which a process may run, as text; undefined when it has ended.
 *
 * @param {number} pid
 */
function allowedProcessors(pid) {
  try {
    return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Moves a copy of the program, which binds itself to the second processor at its start, to another one. It
 * then warms up for a few hundred milliseconds, so this happens before the measurement.
 *
 * @param {number} pid
 * @param {number} cpu
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
 * Measures baselines; each upstream test runs once. With `copies` above 1, that many copies of the program run
 * at the same time on different processors, and the figure is their combined time per unit.
 */
export class MoneroTests {
  #copies;
  /** @type {Map<string, Promise<Time | undefined>>} */
  #times = new Map();

  constructor(copies = 1) {
    this.#copies = copies;
  }

  /** @param {string} test */
  #time(test) {
    const time = this.#times.get(test) ?? this.#run(test);
    this.#times.set(test, time);
    return time;
  }

  /** @param {string} test */
  async #run(test) {
    if (this.#copies === 1) return runTest(test);
    const times = await Promise.all(
      Array.from({ length: this.#copies }, (_, cpu) => runTest(test, cpu)),
    );
    const found = times.filter((time) => time !== undefined);
    if (found.length < times.length) return undefined;
    /** @param {keyof Time} which */
    const together = (which) => 1 / found.reduce((sum, time) => sum + 1 / time[which], 0);
    return { median: together('median'), best: together('best') };
  }

  /**
   * Returns microseconds per unit of work, `{ median, best }`; undefined when the program or a test is missing.
   *
   * @param {Baseline} baseline
   */
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
