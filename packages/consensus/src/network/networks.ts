import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { RandomxAlgorithm } from '../forks/fork-table.ts';
import { MAINNET } from './mainnet.ts';
import { STAGENET } from './stagenet.ts';
import { TESTNET } from './testnet.ts';
import type { HardFork, Network, NetworkName } from './types.ts';

/**
 * A private chain for tests: mainnet's genesis and ids, today's rules from block 1, no seeds, no
 * checkpoints. Source: core::init in src/cryptonote_core/cryptonote_core.cpp.
 */
const REGTEST: Network = {
  ...MAINNET,
  name: 'regtest',
  nettype: 'fakechain',
  hardForks: [
    { version: 1, height: 0, time: 1 },
    { version: 16, height: 1, time: 2 },
  ],
  checkpoints: [],
  trustedBlockGroups: undefined,
  dataDirSuffix: 'fake',
  seedHosts: [],
  seedNodes: [],
  torSeedNodes: [],
  i2pSeedNodes: [],
  checkpointHosts: [],
  blockListHosts: [],
};

/** Freezes plain data with all that is in it, but for bytes, which cannot be frozen. Returns it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** All networks, by name. They are frozen: rules that one part of a program changed would be those of all others. See {@link withOverrides}. */
export const NETWORKS: Readonly<Record<NetworkName, Network>> = frozen({
  mainnet: MAINNET,
  testnet: TESTNET,
  stagenet: STAGENET,
  regtest: REGTEST,
});

/** The parts of a network that may be changed, for tests and private chains. */
export interface NetworkOverrides {
  /** Difficulty of every block except genesis; 0 or absent for the normal rule. */
  readonly fixedDifficulty?: bigint;
  /** Ascending by version and height; they may name the algorithm of proof of work. */
  readonly hardForks?: readonly HardFork[];
}

const OVERRIDES: OptionTable<NetworkOverrides> = {
  fixedDifficulty: OPTIONAL,
  hardForks: OPTIONAL,
};

/**
 * Returns a copy of a network with another difficulty or other forks.
 *
 * Throws RangeError when the list of forks is empty or not ascending by version and height, or names no algorithm of proof of
 * work that there is, and OptionError for a part that cannot be changed.
 */
export function withOverrides(network: Network, overrides: NetworkOverrides): Network {
  checkOptions('withOverrides', overrides, OVERRIDES);
  const { fixedDifficulty, hardForks } = overrides;
  if (hardForks !== undefined) {
    assertAscending(hardForks);
    hardForks.forEach(assertPowRule);
  }
  return {
    ...network,
    ...(hardForks === undefined ? {} : { hardForks }),
    ...(fixedDifficulty === undefined || fixedDifficulty === 0n ? {} : { fixedDifficulty }),
  };
}

/** The algorithms that a fork of a private chain may name. */
export const RANDOMX_ALGORITHMS: readonly RandomxAlgorithm[] = ['randomx', 'randomx-v2'];

/** Throws RangeError for a fork that names an unknown algorithm, or a commitment without an algorithm. */
export function assertPowRule({ powAlgorithm, powCommitment }: HardFork): void {
  if (powAlgorithm !== undefined && !RANDOMX_ALGORITHMS.includes(powAlgorithm)) {
    throw new RangeError(`"powAlgorithm" is one of ${RANDOMX_ALGORITHMS.join(', ')}`);
  }
  if (powCommitment !== undefined && powAlgorithm === undefined) {
    throw new RangeError('"powCommitment" stands beside "powAlgorithm" only');
  }
}

/** Throws RangeError for a list of forks that is empty or does not ascend by version and height. */
export function assertAscending(forks: readonly HardFork[]): void {
  const [first, ...later] = forks;
  if (first === undefined) throw new RangeError('it lists no fork');
  let below = first;
  for (const fork of later) {
    if (fork.version <= below.version || fork.height <= below.height) {
      throw new RangeError(`${placeOf(fork)} must come after ${placeOf(below)} in both`);
    }
    below = fork;
  }
}

function placeOf({ version, height }: HardFork): string {
  return `version ${version} at ${height}`;
}
