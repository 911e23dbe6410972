import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { HardFork } from '@monero-node/consensus';
import { NEWEST_VERSION } from '@monero-node/consensus/fork-table';
import {
  checkPrivateForks,
  MAX_FORK_HEIGHT,
  parsePrivateForks,
} from '@monero-node/consensus/private-forks';
import {
  assertPowRule,
  NETWORKS,
  RANDOMX_ALGORITHMS,
  withOverrides,
  type Network,
  type NetworkName,
} from '@monero-node/consensus/networks';
import type { OptionReader } from './given-options.ts';
import { UsageError } from './usage-error.ts';

const NETWORK_SWITCHES = ['testnet', 'stagenet', 'regtest'] as const satisfies NetworkName[];

/** Returns the network that the options choose, with its private forks. Throws UsageError when it is not one. */
export function chooseNetwork(values: OptionReader): Network {
  const chosen = NETWORK_SWITCHES.filter((name) => values.get(name));
  if (chosen.length > 1) {
    throw new UsageError("Can't specify more than one of --testnet and --stagenet and --regtest");
  }
  const network = NETWORKS[chosen[0] ?? 'mainnet'];
  const hardForks = chooseForks(values, network);
  const fixedDifficulty = BigInt(values.get('fixed-difficulty'));
  return withOverrides(network, { fixedDifficulty, ...(hardForks && { hardForks }) });
}

/** Returns the private forks of a network; undefined when the options name none. Throws UsageError. */
function chooseForks(values: OptionReader, network: Network): HardFork[] | undefined {
  const file = values.get('hard-forks');
  const list = values.get('regtest-forks');
  if (list === undefined) return file === undefined ? undefined : readHardForks(file, network);
  if (file !== undefined) {
    throw new UsageError('--hard-forks and --regtest-forks say the same: give one of them');
  }
  if (network.name !== 'regtest') throw new UsageError('--regtest-forks needs --regtest');
  try {
    return parsePrivateForks(list);
  } catch (error) {
    throw new UsageError(`Invalid --regtest-forks: ${(error as Error).message}`);
  }
}

/** Returns the data directory of a network. As in monerod, the network's subfolder is always appended. */
export function dataDirOf(values: OptionReader, network: Network): string {
  const base = resolve(values.get('data-dir') ?? join(homedir(), '.bitmonero'));
  return network.dataDirSuffix === '' ? base : join(base, network.dataDirSuffix);
}

const NEEDED = ['version', 'height', 'time'] as const;
const FIELDS = [...NEEDED, 'powAlgorithm', 'powCommitment'] as const;

/**
 * Reads the forks of a private chain: a JSON list of `{"version", "height", "time"}`, ascending by
 * version and height, that starts with version 1 at height 0 or 1. Versions may be left out.
 * A fork may have `"powAlgorithm"` (`randomx`, `randomx-v2`), and beside it `"powCommitment"` (true, false).
 *
 * Throws UsageError with the place and the reason when the list is invalid, or when `network`, whose forks it
 * replaces, is mainnet.
 */
export function readHardForks(path: string, network: Network): HardFork[] {
  if (network.name === 'mainnet') {
    throw new UsageError('--hard-forks needs --testnet, --stagenet or --regtest');
  }
  const complain = (message: string): never => {
    throw new UsageError(`Invalid --hard-forks file ${path}: ${message}`);
  };
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return complain((error as Error).message);
  }
  if (!Array.isArray(content)) return complain('a list of forks is expected');
  const forks = content.map((entry: unknown, i) => readFork(entry, `fork ${i + 1}`, complain));
  try {
    checkPrivateForks(forks);
  } catch (error) {
    return complain((error as Error).message);
  }
  return forks;
}

function readFork(entry: unknown, where: string, complain: (message: string) => never): HardFork {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return complain(`${where} must be an object with ${NEEDED.join(', ')}`);
  }
  const unknown = Object.keys(entry).find((name) => !FIELDS.some((field) => field === name));
  if (unknown !== undefined) return complain(`${where} has an unknown field "${unknown}"`);
  const values = entry as Partial<Record<(typeof FIELDS)[number], unknown>>;
  const integer = (name: (typeof NEEDED)[number], low: number, high: number): number => {
    const value = values[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) {
      return value;
    }
    return complain(`${where} needs a whole number from ${low} to ${high} as "${name}"`);
  };
  const { powAlgorithm: name, powCommitment } = values;
  const powAlgorithm = RANDOMX_ALGORITHMS.find((algorithm) => algorithm === name);
  if (name !== undefined && powAlgorithm === undefined)
    return complain(`${where} needs one of ${RANDOMX_ALGORITHMS.join(', ')} as "powAlgorithm"`);
  if (powCommitment !== undefined && typeof powCommitment !== 'boolean')
    return complain(`${where} needs true or false as "powCommitment"`);
  const fork: HardFork = {
    version: integer('version', 1, NEWEST_VERSION),
    height: integer('height', 0, MAX_FORK_HEIGHT),
    time: integer('time', 0, Number.MAX_SAFE_INTEGER),
    ...(powAlgorithm !== undefined && { powAlgorithm }),
    ...(powCommitment !== undefined && { powCommitment }),
  };
  try {
    assertPowRule(fork);
  } catch (error) {
    return complain(`${where}: ${(error as Error).message}`);
  }
  return fork;
}
