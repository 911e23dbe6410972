import { MAINNET } from './mainnet.ts';
import { REGTEST } from './regtest.ts';
import { STAGENET } from './stagenet.ts';
import { TESTNET } from './testnet.ts';
import type { HardFork, Network, NetworkName } from './types.ts';

export const NETWORKS: Readonly<Record<NetworkName, Network>> = {
  mainnet: MAINNET,
  testnet: TESTNET,
  stagenet: STAGENET,
  regtest: REGTEST,
};

/** What may be changed about a network, for tests and private chains. */
export interface NetworkOverrides {
  /** Difficulty of every block but genesis; 0 or absent: the normal rule. */
  readonly fixedDifficulty?: bigint;
  /** Ascending by version and height. */
  readonly hardForks?: readonly HardFork[];
}

/**
 * A copy of the network with other difficulty or forks.
 *
 * @throws RangeError when the forks are none, or not ascending
 */
export function withOverrides(network: Network, overrides: NetworkOverrides): Network {
  const { fixedDifficulty, hardForks } = overrides;
  if (hardForks !== undefined) assertAscending(hardForks);
  return {
    ...network,
    ...(hardForks === undefined ? {} : { hardForks }),
    ...(fixedDifficulty === undefined || fixedDifficulty === 0n ? {} : { fixedDifficulty }),
  };
}

function assertAscending(forks: readonly HardFork[]): void {
  if (forks.length === 0) throw new RangeError('a network needs at least one hard fork');
  for (let i = 1; i < forks.length; i++) {
    const below = forks[i - 1] as HardFork;
    const fork = forks[i] as HardFork;
    if (fork.version <= below.version || fork.height <= below.height) {
      throw new RangeError('hard forks must ascend by version and height');
    }
  }
}
