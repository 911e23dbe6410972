import { FIRST_TREE_VERSION, type Formats } from '@monero-node/codec';
import type { HardFork, Network } from './types.ts';

/**
 * Returns the major version of the block at a height: that of the newest fork at or below it. Votes do
 * not matter, because the threshold of every fork is 0. Heights below the first fork (genesis, when the
 * first fork is listed at height 1) have its version.
 *
 * Source: HardFork::get in src/cryptonote_basic/hardfork.cpp.
 */
export function versionAtHeight(network: Network, height: number): number {
  const forks = network.hardForks;
  let current = forks[0] as HardFork;
  for (const fork of forks) {
    if (fork.height > height) break;
    current = fork;
  }
  return current.version;
}

/**
 * Returns the lowest height whose blocks follow the rules of `version` or a later one; undefined when
 * the network has no such fork.
 *
 * Source: HardFork::get_earliest_ideal_height_for_version in src/cryptonote_basic/hardfork.cpp.
 */
export function earliestHeightOf(network: Network, version: number): number | undefined {
  return network.hardForks.find((fork) => fork.version >= version)?.height;
}

/**
 * Returns the formats in which nodes of a network read what comes from outside: the new ones on a network that has a height for
 * hard fork 17, below that height too.
 */
export function formatsOf(network: Network): Formats {
  return newestVersion(network) < FIRST_TREE_VERSION ? 'ringct' : 'fcmp';
}

/**
 * Returns the newest version in the network's table: the vote that new blocks carry.
 *
 * Source: HardFork::get_ideal_version in src/cryptonote_basic/hardfork.cpp.
 */
export function newestVersion(network: Network): number {
  return (network.hardForks.at(-1) as HardFork).version;
}
