import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Processor seconds by the role of a thread.
 *
 * @typedef {Record<string, { user: number, system: number }>} ThreadSeconds
 */

/** Environment of a daemon of ours that names its threads. */
export const NAME_THREADS = {
  NODE_OPTIONS: `--require=${fileURLToPath(new URL('name-threads.cjs', import.meta.url))}`,
};
const JAVASCRIPT_THREAD = 'JavaScript';
/** Clock ticks per second in /proc. */
const TICKS_PER_SECOND = 100;

/** The role of a thread by its name. Threads of addons have the name of the thread that started them. */
const ROLES = new Map([
  ['v8', 'garbage collector, compiler'],
  ['libuv', 'libuv: LMDB commits, files'],
  ['crypto', 'signatures and range proofs'],
  ['pow', 'CryptoNight'],
]);
const OF_ADDONS = 'threads of addons: RandomX';

/**
 * Returns the text of a file of a thread; undefined when the thread has ended.
 *
 * @param {string} path
 */
function readOf(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

/**
 * Returns the processor seconds that the threads of a process have used, by their role: `{ user, system }` each. The
 * roles are known in a process that was started with {@link NAME_THREADS}.
 *
 * @param {number} pid
 */
export function threadCpu(pid) {
  /** @type {ThreadSeconds} */
  const roles = {};
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readOf(`/proc/${pid}/task/${thread}/stat`);
    if (stat === undefined) continue;
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const role = thread === String(pid) ? JAVASCRIPT_THREAD : (ROLES.get(name) ?? OF_ADDONS);
    const sum = (roles[role] ??= { user: 0, system: 0 });
    sum.user += Number(fields[11]) / TICKS_PER_SECOND;
    sum.system += Number(fields[12]) / TICKS_PER_SECOND;
  }
  return roles;
}

/**
 * Returns the seconds between two samples of {@link threadCpu}, by role.
 *
 * @param {ThreadSeconds} first
 * @param {ThreadSeconds} last
 * @returns {ThreadSeconds}
 */
export function threadCpuBetween(first, last) {
  return Object.fromEntries(
    Object.entries(last).map(([role, { user, system }]) => [
      role,
      { user: user - (first[role]?.user ?? 0), system: system - (first[role]?.system ?? 0) },
    ]),
  );
}
