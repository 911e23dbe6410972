import { availableParallelism, homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import {
  NETWORKS,
  withOverrides,
  type Network,
  type NetworkName,
} from '@monero-node/consensus/networks';
import { BACKEND_CHOICES, type BackendChoice } from '@monero-node/crypto/choices';
import { DEFAULT_MAX_WEIGHT } from '@monero-node/mempool/limits';
import type { MiningSettings } from '@monero-node/node';
import type { P2pOptions } from '@monero-node/p2p';
import type { PowEngine } from '@monero-node/pow';
import type { RpcOptions } from '@monero-node/rpc';
import type { ZmqOptions } from '@monero-node/zmq';
import type { NotifySettings } from '../notify/notifications.ts';
import type { CheckpointOptions } from '../checkpoints/checkpoint-keeper.ts';
import type { UpdateOptions } from '../updates/update-keeper.ts';
import { LOG_FORMATS, type LogFormat } from '../log/json-sink.ts';
import { readTrustedBlocks, type TrustedBlocks } from './block-hashes-settings.ts';
import { mergeValues, namingFile, readConfigFile } from './config-file.ts';
import { dnsWarnings, mayAskDns } from './dns-settings.ts';
import { detachSettings, detachWarnings, type DetachSettings } from './detach-settings.ts';
import { fleetSettings, type FleetSettings } from './fleet-settings.ts';
import { eventSettings, eventWarnings, type EventSettings } from './event-settings.ts';
import type { GivenLogin } from './given-login.ts';
import { readHardForks } from './hard-forks.ts';
import { metricsSettings, metricsWarnings, type MetricsSettings } from './metrics-settings.ts';
import { miningSettings, miningWarnings } from './mining-settings.ts';
import { OPTIONS } from './options.ts';
import { UsageError, type OptionValue, type OptionValues } from './option-types.ts';
import { banListWarnings, p2pOptions } from './p2p-settings.ts';
import { bootstrapWarnings, readLogin, rpcOptions } from './rpc-settings.ts';
import { rpcWorkers } from './rpc-workers.ts';
import { OptionReader } from './option-reader.ts';
import { shownOptions } from './shown-options.ts';
import { readSyncMode, syncModeWarnings, type SyncMode } from './sync-mode.ts';
import { updateOptions, updateWarnings } from './update-settings.ts';
import { rpcVersion } from './version-string.ts';
import { VERSION } from '../version.ts';
import { zmqOptions, zmqWarnings } from './zmq-settings.ts';

/** Everything the daemon is configured with. */
export interface DaemonSettings extends FleetSettings {
  readonly network: Network;
  /** Folder of this network's files. */
  readonly dataDir: string;
  /** Whether to delete the regtest chain at start. */
  readonly resetChain: boolean;
  readonly keepAlternativeBlocks: boolean;
  readonly syncMode: SyncMode;
  /** Number of threads that verify signatures and proofs; 0: one per core. */
  readonly verificationThreads: number;
  readonly cryptoBackend: BackendChoice;
  readonly powEngine: PowEngine | 'auto';
  /** Whether to prune the chain permanently. */
  readonly prune: boolean;
  readonly checkpoints: CheckpointOptions;
  readonly trustedBlocks: TrustedBlocks;
  /** Number of threads that compute proof-of-work hashes. */
  readonly powThreads: number;
  readonly interactive: boolean;
  /** Whether a command sent to another process prints JSON. */
  readonly json: boolean;
  /** Undefined: the daemon runs in the foreground. */
  readonly detach: DetachSettings | undefined;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  readonly logFile: { readonly path: string; readonly maxSize: number; readonly maxFiles: number };
  /** Total weight above which the transaction pool evicts transactions. */
  readonly maxPoolWeight: number;
  readonly mining: MiningSettings;
  readonly p2p: P2pOptions;
  readonly rpc: RpcOptions;
  /** Number of processes that answer RPC calls. */
  readonly rpcWorkers: number;
  /** Version that `get_info` reports. */
  readonly rpcVersion: string;
  /** Login for {@link DaemonSettings.rpc}; `withLogin` asks for a missing password. */
  readonly rpcLogin: GivenLogin | undefined;
  /** Undefined: ZeroMQ is off. */
  readonly zmq: ZmqOptions | undefined;
  /** Undefined: metrics are not served. */
  readonly metrics: MetricsSettings | undefined;
  /** Undefined: events are not published. */
  readonly events: EventSettings | undefined;
  readonly notify: NotifySettings;
  readonly updates: UpdateOptions;
  /** The options given, as words for a report, without the values that may be secret. */
  readonly shownOptions: readonly string[];
  /** A sentence for each option given that has no effect. */
  readonly warnings: readonly string[];
}

const NETWORK_SWITCHES: readonly NetworkName[] = ['testnet', 'stagenet', 'regtest'];
const LOG_FILE = 'bitmonero.log';
const CHECKPOINT_FILE = 'checkpoints.json';
const CONFIG_FILE = 'bitmonero.conf';

function chooseNetwork(values: OptionReader): Network {
  const chosen = NETWORK_SWITCHES.filter((name) => values.flag(name));
  if (chosen.length > 1) {
    throw new UsageError("Can't specify more than one of --testnet and --stagenet and --regtest");
  }
  const network = NETWORKS[chosen[0] ?? 'mainnet'];
  const hardForks = values.text('hard-forks');
  return withOverrides(network, {
    fixedDifficulty: BigInt(values.number('fixed-difficulty', 0)),
    ...(hardForks === undefined ? {} : { hardForks: readHardForks(hardForks, network) }),
  });
}

function cryptoBackend(values: OptionReader): BackendChoice {
  const text = values.text('crypto-backend') ?? 'auto';
  const choice = BACKEND_CHOICES.find((name) => name === text);
  if (choice === undefined) {
    throw new UsageError(
      `Invalid crypto-backend '${text}': ${BACKEND_CHOICES.join(', ')} expected`,
    );
  }
  return choice;
}

function powEngine(values: OptionReader): PowEngine | 'auto' {
  const text = values.text('pow-engine') ?? 'auto';
  if (text === 'auto' || text === 'native' || text === 'wasm') return text;
  throw new UsageError(`Invalid pow-engine '${text}': auto, native or wasm expected`);
}

function notifySettings(values: OptionReader): NotifySettings {
  return {
    block: values.text('block-notify'),
    reorg: values.text('reorg-notify'),
    blockRate: values.text('block-rate-notify'),
  };
}

/** Returns warnings for ignored options. Throws UsageError for a refused one. */
function checkSupport(values: OptionReader): string[] {
  const given = OPTIONS.filter((spec) => values.has(spec.name));
  const refused = given.find((spec) => spec.support === 'refused');
  if (refused !== undefined) {
    const why = refused.reason === undefined ? ' in this version' : `: ${refused.reason}`;
    throw new UsageError(`--${refused.name} is not available${why}`);
  }
  return given
    .filter(({ support, metBy }) => support === 'ignored' && metBy !== true)
    .filter(({ name, metBy }) => metBy === undefined || values.text(name) !== metBy)
    .map(
      ({ name, reason }) => `--${name} has no effect${reason === undefined ? '' : `: ${reason}`}`,
    );
}

/**
 * Returns a warning for `--sync-pruned-blocks` without hashes. An earlier run may have pruned the chain, so that is
 * not checked.
 */
function pruningWarnings(values: OptionReader, { groups }: TrustedBlocks): string[] {
  const inVain = values.flag('sync-pruned-blocks') && groups.length === 0;
  return inVain ? ['--sync-pruned-blocks has no effect without trusted block hashes'] : [];
}

function logFile(values: OptionReader, dataDir: string): DaemonSettings['logFile'] {
  const given = values.text('log-file') ?? LOG_FILE;
  // A name without a folder is placed in the data directory.
  const path = basename(given) === given ? join(dataDir, given) : resolve(given);
  return {
    path,
    maxSize: values.number('max-log-file-size', 104_850_000),
    maxFiles: values.number('max-log-files', 50),
  };
}

function logFormat(values: OptionReader): LogFormat {
  const text = values.text('log-format') ?? 'text';
  const format = LOG_FORMATS.find((name) => name === text);
  if (format === undefined) {
    throw new UsageError(`Invalid log-format '${text}': ${LOG_FORMATS.join(' or ')} expected`);
  }
  return format;
}

/** The DNS is asked unless disabled or past a proxy, and its checkpoints are enforced only on request. */
function checkpointOptions(values: OptionReader, dataDir: string): CheckpointOptions {
  const isOff = values.flag('disable-dns-checkpoints') || values.flag('offline');
  const off = isOff || !mayAskDns(values);
  const enforce = values.flag('enforce-dns-checkpointing');
  return { file: join(dataDir, CHECKPOINT_FILE), dns: off ? 'off' : enforce ? 'enforce' : 'warn' };
}

/** Returns the data directory of a network. As in monerod, the network's subfolder is always appended. */
function dataDirOf(values: OptionReader, network: Network): string {
  const base = resolve(values.text('data-dir') ?? join(homedir(), '.bitmonero'));
  return network.dataDirSuffix === '' ? base : join(base, network.dataDirSuffix);
}

/**
 * Combines a command line and its config file into the settings of the daemon.
 *
 * Throws UsageError for unknown, invalid or contradicting options and for files that cannot be read.
 */
export function makeDaemonSettings(commandLine: ReadonlyMap<string, OptionValue>): DaemonSettings {
  const early = new OptionReader(commandLine);
  const configFile = early.text('config-file');
  const path = configFile ?? join(dataDirOf(early, chooseNetwork(early)), CONFIG_FILE);
  const file = readConfigFile(path, configFile !== undefined);
  const given = mergeValues(commandLine, file);
  return namingFile(path, { commandLine, file }, () => settingsOf(given));
}

/** Returns the settings for the options of a command line and its config file. Throws UsageError. */
function settingsOf(given: OptionValues): DaemonSettings {
  const values = new OptionReader(given);
  const network = chooseNetwork(values);
  const trustedBlocks = readTrustedBlocks(values, network);
  const warnings = [
    ...checkSupport(values),
    ...detachWarnings(values),
    ...bootstrapWarnings(values),
    ...dnsWarnings(values),
    ...zmqWarnings(values),
    ...metricsWarnings(values),
    ...eventWarnings(values),
    ...updateWarnings(values),
    ...syncModeWarnings(values),
    ...miningWarnings(values),
    ...pruningWarnings(values, trustedBlocks),
  ];
  const dataDir = dataDirOf(values, network);
  const cores = availableParallelism();
  const rpc = rpcOptions(values, network, dataDir);
  const p2p = p2pOptions(values, network, dataDir);
  return {
    network,
    dataDir,
    shownOptions: shownOptions(given),
    resetChain: network.name === 'regtest' && !values.flag('keep-fakechain'),
    keepAlternativeBlocks: values.flag('keep-alt-blocks'),
    syncMode: readSyncMode(values),
    verificationThreads: values.number('max-concurrency', 0),
    cryptoBackend: cryptoBackend(values),
    powEngine: powEngine(values),
    prune: values.flag('prune-blockchain'),
    checkpoints: checkpointOptions(values, dataDir),
    trustedBlocks,
    powThreads: values.number('prep-blocks-threads', cores),
    interactive: !values.flag('non-interactive') && !values.flag('detach'),
    json: values.flag('json'),
    detach: detachSettings(values),
    logLevel: values.text('log-level') ?? process.env['MONERO_LOGS'] ?? '',
    logFormat: logFormat(values),
    logFile: logFile(values, dataDir),
    maxPoolWeight: values.number('max-txpool-weight', DEFAULT_MAX_WEIGHT),
    mining: miningSettings(values, network),
    p2p,
    rpc,
    rpcWorkers: rpcWorkers(values, rpc, { cores, platform: process.platform }),
    rpcVersion: rpcVersion(values, VERSION),
    rpcLogin: readLogin(values, process.env['RPC_LOGIN']),
    zmq: zmqOptions(values, network),
    metrics: metricsSettings(values),
    ...fleetSettings(values),
    events: eventSettings(values, network),
    notify: notifySettings(values),
    updates: updateOptions(values, dataDir),
    warnings: [...warnings, ...banListWarnings(p2p)],
  };
}
