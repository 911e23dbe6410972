import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** @import { Counts } from './attack.d.ts' */

/** Milliseconds before an attacker whose connection has ended returns, from another address. */
const RETURN_MS = 100;
/** Each process has addresses of its own, so that the attackers of several do not share bans. */
const net = 1 + randomInt(250);
let made = randomInt(65_536);

let largest = Infinity;

/**
 * Limits how many attackers an attack has at once.
 *
 * @param {number} count
 */
export function limitCrowds(count) {
  largest = count;
}

/** Returns an address of this machine that no attacker has used yet, because a banned host stays banned. */
function nextAddress() {
  made++;
  return `127.${net}.${(made >> 8) & 255}.${made & 255}`;
}

/**
 * Repeats `visit(address)` with `count` attackers at once, until the process ends. An attacker whose connection was
 * closed returns from the same address once, then from another one.
 *
 * @param {number} count
 * @param {Counts} counts
 * @param {(address: string) => Promise<unknown>} visit
 */
export async function crowd(count, counts, visit) {
  const one = async () => {
    let address = nextAddress();
    for (let visits = 0; ; visits++) {
      if (visits > 0 && visits % 2 === 0) address = nextAddress();
      try {
        await visit(address);
        counts.ended = (counts.ended ?? 0) + 1;
      } catch {
        counts.refused = (counts.refused ?? 0) + 1;
      }
      await sleep(RETURN_MS);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, largest) }, one));
}

/**
 * Adds to one of the counts that an attack reports; returns it.
 *
 * @param {Counts} counts
 * @param {string} name
 */
export function count(counts, name, more = 1) {
  return (counts[name] = (counts[name] ?? 0) + more);
}
