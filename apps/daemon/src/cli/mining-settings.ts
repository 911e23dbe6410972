import type { Network } from '@monero-node/consensus';
import type { MinerStart } from '@monero-node/miner';
import { loadExtraMessages, type ExtraMessages } from '@monero-node/miner/extra-messages';
import type { MiningSettings } from '@monero-node/node';
import { minerAddress } from '@monero-node/rpc/settings';
import type { OptionReader } from './given-options.ts';
import type { OptionName } from './options/options.ts';
import { UsageError } from './usage-error.ts';

/**
 * Reads the mining options.
 *
 * Throws UsageError for an address that cannot be mined to and for a message file that cannot be read.
 */
export function miningSettings(values: OptionReader, network: Network): MiningSettings {
  return {
    start: startSettings(values, network),
    background: {
      minIdleSeconds: values.get('bg-mining-min-idle-interval'),
      idleThreshold: values.get('bg-mining-idle-threshold'),
      target: values.get('bg-mining-miner-target'),
    },
    extraMessages: extraMessages(values),
  };
}

/** Options about the miner that `--start-mining` starts. Those about background mining hold for the RPC as well. */
const START_OPTIONS: readonly OptionName[] = [
  'mining-threads',
  'bg-mining-enable',
  'bg-mining-ignore-battery',
];

/** Returns warnings for options that have no effect because nothing is mined. */
export function miningWarnings(values: OptionReader): string[] {
  if (values.has('start-mining')) return [];
  const inVain = START_OPTIONS.filter((name) => values.has(name));
  return inVain.map((name) => `--${name} has no effect without --start-mining`);
}

function extraMessages(values: OptionReader): ExtraMessages | undefined {
  const path = values.get('extra-messages-file');
  if (path === undefined) return undefined;
  try {
    return loadExtraMessages(path);
  } catch (error) {
    throw new UsageError(
      `Failed to load file with extra messages: ${path}: ${(error as Error).message}`,
    );
  }
}

function startSettings(values: OptionReader, network: Network): MinerStart | undefined {
  const text = values.get('start-mining');
  if (text === undefined) return undefined;
  const address = minerAddress(text, network);
  if (address === undefined || address.isSubaddress) {
    throw new UsageError(
      `Target account address ${text} has wrong format, starting daemon canceled`,
    );
  }
  return {
    address,
    threads: values.get('mining-threads'),
    background: values.get('bg-mining-enable'),
    ignoreBattery: values.get('bg-mining-ignore-battery'),
  };
}
