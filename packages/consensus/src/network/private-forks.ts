import { NEWEST_VERSION } from '../forks/fork-table.ts';
import { assertAscending } from './networks.ts';
import type { HardFork } from './types.ts';

/** Highest height of a fork: above it, unlock times are times. Source: CRYPTONOTE_MAX_BLOCK_NUMBER in src/cryptonote_config.h. */
export const MAX_FORK_HEIGHT = 500_000_000;

const GENESIS_FORK: HardFork = { version: 1, height: 0, time: 0 };

/**
 * Checks the forks of a private chain: ascending by version and height, from version 1 at height 0 or 1 on, as every genesis block has
 * version 1. Versions may be left out.
 *
 * Throws RangeError with the first fork that is wrong.
 */
export function checkPrivateForks(forks: readonly HardFork[]): void {
  const [first] = forks;
  if (first !== undefined && (first.version !== 1 || first.height > 1)) {
    throw new RangeError('fork 1 must be version 1 at height 0 or 1');
  }
  assertAscending(forks);
}

/**
 * Reads the forks of a private chain from pairs of version and height such as `16:1,17:40,18:60`. Genesis has version 1 unless the
 * first pair is of version 1.
 *
 * Throws RangeError for text of another form, versions that there are not, heights above 500,000,000, and as checkPrivateForks does.
 */
export function parsePrivateForks(text: string): HardFork[] {
  const forks = text.split(',').map(readPair);
  const all = forks[0]?.version === 1 ? forks : [GENESIS_FORK, ...forks];
  checkPrivateForks(all);
  return all;
}

function readPair(pair: string): HardFork {
  const [, version, height] = /^(\d{1,3}):(\d{1,9})$/.exec(pair) ?? [];
  if (version === undefined || height === undefined) {
    throw new RangeError(`"${pair}" is not a version and a height such as 16:1`);
  }
  const fork = { version: Number(version), height: Number(height), time: 0 };
  if (fork.version < 1 || fork.version > NEWEST_VERSION) {
    throw new RangeError(`there is no version ${fork.version}, only 1 to ${NEWEST_VERSION}`);
  }
  if (fork.height > MAX_FORK_HEIGHT) {
    throw new RangeError(`height ${fork.height} is above ${MAX_FORK_HEIGHT}`);
  }
  return fork;
}
