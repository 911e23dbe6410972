import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** @import { Counts, Target } from './attack.d.ts' */
/**
 * How many attackers there may be, and what they may send.
 *
 * @typedef {{ attackers?: number, bytesPerSecond?: number }} Limits
 */
/**
 * What the process is told.
 *
 * @typedef {Limits & { id: string, target: Target }} Order
 */

const ATTACKER = fileURLToPath(new URL('attacker.mjs', import.meta.url));

/**
 * Starts an attack in a process of its own. `stop` kills it and returns what it counted.
 *
 * @param {string} id
 * @param {Target} target
 * @param {Limits} limits
 */
export function startAttacker(id, target, limits = {}) {
  const child = fork(ATTACKER);
  /** @type {Counts} */
  let counts = {};
  child.on('message', (/** @type {Counts} */ message) => (counts = message));
  child.on('error', () => {});
  child.send({ id, target, ...limits });
  const ended = once(child, 'exit');
  return {
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      return counts;
    },
  };
}
