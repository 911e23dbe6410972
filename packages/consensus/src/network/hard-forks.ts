import type { HardFork, Network } from './types.ts';

/**
 * Major version of the block at `height`: that of the newest fork at or below it. Votes never
 * decide, because every fork's threshold is 0 (src/cryptonote_basic/hardfork.cpp). Heights below
 * the first fork (genesis, where the first fork is listed at height 1) have its version too.
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
 * The lowest height whose blocks follow the rules of `version` or later; undefined when the network
 * knows no such fork (get_earliest_ideal_height_for_version).
 */
export function earliestHeightOf(network: Network, version: number): number | undefined {
  return network.hardForks.find((fork) => fork.version >= version)?.height;
}

/** The newest version the network's table knows: the vote that new blocks carry. */
export function newestVersion(network: Network): number {
  return (network.hardForks.at(-1) as HardFork).version;
}
