import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ATTACKER = fileURLToPath(new URL('attacker.mjs', import.meta.url));

/**
 * Starts an attack in a process of its own. `stop` kills it and returns what it counted.
 *
 * @param {{ attackers?: number, bytesPerSecond?: number }} limits
 */
export function startAttacker(id, target, limits = {}) {
  const child = fork(ATTACKER);
  let counts = {};
  child.on('message', (message) => (counts = message)).on('error', () => {});
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
