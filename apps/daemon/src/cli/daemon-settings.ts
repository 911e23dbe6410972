import { machineLimits } from '@monero-node/base/machine';
import { join } from 'node:path';
import type { Network } from '@monero-node/consensus/networks';
import type { BackendChoice } from '@monero-node/crypto/choices';
import type { HiddenService } from '@monero-node/dashboard';
import type { MiningSettings, StratumSettings } from '@monero-node/node';
import type { P2pOptions } from '@monero-node/p2p';
import type { DatasetUse, PowEngine } from '@monero-node/pow';
import type { RpcOptions } from '@monero-node/rpc';
import type { SyncMode } from '@monero-node/storage';
import type { ZmqOptions } from '@monero-node/zmq';
import type { CheckpointOptions } from '../checkpoints/checkpoint-keeper.ts';
import type { LogFormat } from '../log/json-sink.ts';
import type { BanListUrl } from '../bans/ban-list-url.ts';
import type { NotifySettings } from '../notify/notifications.ts';
import type { SeedServerSettings } from '../seed/seed-server.ts';
import type { UpdateOptions } from '../updates/update-keeper.ts';
import { VERSION } from '../version.ts';
import { alertSettings, alertWarnings, type AlertSettings } from './alert-settings.ts';
import { banListUrl, banListUrlWarnings, banListWarnings } from './ban-list-settings.ts';
import {
  checkpointOptions,
  pruningWarnings,
  readSyncMode,
  readTrustedBlocks,
  syncModeWarnings,
  type TrustedBlocks,
} from './chain-settings.ts';
import { mergeValues, namingConfigFile, readConfigFile } from './config-file.ts';
import {
  OptionReader,
  shownOptions,
  supportWarnings,
  type OptionValue,
  type OptionValues,
} from './given-options.ts';
import { miningSettings, miningWarnings } from './mining-settings.ts';
import { chooseNetwork, dataDirOf } from './network-settings.ts';
import { dnsWarnings, p2pOptions, portMappingWarnings } from './p2p-settings.ts';
import {
  detachSettings,
  detachWarnings,
  logFile,
  logFormat,
  notifySettings,
  updateOptions,
  updateWarnings,
  type DetachSettings,
  type LogFileSettings,
} from './process-settings.ts';
import { publicLoginWarnings, readLogin, type GivenLogin } from './rpc-login.ts';
import {
  bootstrapWarnings,
  fleetSettings,
  hiddenServices,
  hiddenServiceWarnings,
  rpcOptions,
  rpcVersion,
  rpcWorkers,
  type FleetSettings,
} from './rpc-settings.ts';
import {
  eventSettings,
  eventWarnings,
  metricsSettings,
  metricsWarnings,
  zmqOptions,
  zmqWarnings,
  type EventSettings,
  type MetricsSettings,
} from './service-settings.ts';
import { seedFrom, seedServerSettings, seedWarnings, type SeedFrom } from './seed-settings.ts';
import { stratumSettings, stratumWarnings } from './stratum-settings.ts';

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
  readonly powDataset: DatasetUse;
  /** Whether to prune the chain permanently. */
  readonly prune: boolean;
  /** Whether to keep a curve tree on a network whose blocks commit to none. */
  readonly buildTree: boolean;
  readonly checkpoints: CheckpointOptions;
  readonly trustedBlocks: TrustedBlocks;
  /** Number of threads that compute proof-of-work hashes. */
  readonly powThreads: number;
  /** Threads that read blocks ahead; see `OpenEngineOptions`. */
  readonly readAheadThreads: number | undefined;
  readonly interactive: boolean;
  /** Whether a command sent to another process prints JSON. */
  readonly json: boolean;
  /** Undefined: the daemon runs in the foreground. */
  readonly detach: DetachSettings | undefined;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  readonly logFile: LogFileSettings;
  /** Total weight above which the transaction pool evicts transactions. */
  readonly maxPoolWeight: number;
  readonly mining: MiningSettings;
  /** Undefined: rigs are not served. */
  readonly stratum: StratumSettings | undefined;
  readonly p2p: P2pOptions;
  /** Undefined: no ban list is downloaded. */
  readonly banListUrl: BanListUrl | undefined;
  readonly rpc: RpcOptions;
  /** Shown on the public page. */
  readonly hiddenServices: readonly HiddenService[];
  /** Number of processes that answer RPC calls. */
  readonly rpcWorkers: number;
  /** Version that `get_info` reports. */
  readonly rpcVersion: string;
  /** Login for {@link DaemonSettings.rpc}; `withLogin` asks for a missing password. */
  readonly rpcLogin: GivenLogin | undefined;
  /** Undefined: ZeroMQ is off. */
  readonly zmq: ZmqOptions | undefined;
  /** Minutes between lines about RPC clients; 0: there are none. */
  readonly rpcClientLog: number;
  /** Undefined: metrics are not served. */
  readonly metrics: MetricsSettings | undefined;
  /** Undefined: events are not published. */
  readonly events: EventSettings | undefined;
  /** Undefined: the chain is not copied from elsewhere. */
  readonly seedFrom: SeedFrom | undefined;
  /** Undefined: new nodes cannot copy the chain. */
  readonly seedServer: SeedServerSettings | undefined;
  readonly notify: NotifySettings;
  readonly alerts: AlertSettings;
  readonly updates: UpdateOptions;
  /** The options given, as words for a report, without the values that may be secret. */
  readonly shownOptions: readonly string[];
  /** A sentence for each option given that has no effect. */
  readonly warnings: readonly string[];
}

const CONFIG_FILE = 'bitmonero.conf';

/** The settings of a daemon, and where they come from. */
export interface Configuration {
  readonly settings: DaemonSettings;
  /** The options of the command line and of the config file. */
  readonly given: OptionValues;
  readonly file: { readonly path: string; readonly isThere: boolean };
  /** Reads the config file anew, which must be there if it was. Throws UsageError. */
  readonly again: () => Configuration;
}

/**
 * Combines a command line and its config file into the settings of the daemon.
 *
 * Throws UsageError for unknown, invalid or contradicting options and for files that cannot be read.
 *
 * @param mustExist whether the config file is missed if it is not there; one that the command line names always is
 */
export function readConfiguration(
  commandLine: ReadonlyMap<string, OptionValue>,
  mustExist = false,
): Configuration {
  const early = new OptionReader(commandLine);
  const configFile = early.get('config-file');
  const path = configFile ?? join(dataDirOf(early, chooseNetwork(early)), CONFIG_FILE);
  const found = readConfigFile(path, mustExist || configFile !== undefined);
  const file = found ?? new Map<string, OptionValue>();
  const given = mergeValues(commandLine, file);
  const isThere = found !== undefined;
  return {
    settings: namingConfigFile(path, { commandLine, file }, () => settingsOf(given)),
    given,
    file: { path, isThere },
    again: () => readConfiguration(commandLine, isThere),
  };
}

/** Returns the settings of `readConfiguration`. Throws UsageError as it does. */
export function makeDaemonSettings(commandLine: ReadonlyMap<string, OptionValue>): DaemonSettings {
  return readConfiguration(commandLine).settings;
}

/** Returns the settings for the options of a command line and its config file. Throws UsageError. */
export function settingsOf(given: OptionValues): DaemonSettings {
  const values = new OptionReader(given);
  const network = chooseNetwork(values);
  const trustedBlocks = readTrustedBlocks(values, network);
  const warnings = [
    ...supportWarnings(values),
    ...detachWarnings(values),
    ...bootstrapWarnings(values),
    ...hiddenServiceWarnings(values),
    ...dnsWarnings(values),
    ...banListUrlWarnings(values),
    ...publicLoginWarnings(values, process.env['RPC_LOGIN']),
    ...zmqWarnings(values),
    ...metricsWarnings(values),
    ...eventWarnings(values),
    ...seedWarnings(values),
    ...alertWarnings(values),
    ...updateWarnings(values),
    ...syncModeWarnings(values),
    ...miningWarnings(values),
    ...stratumWarnings(values),
    ...pruningWarnings(values, trustedBlocks),
  ];
  const dataDir = dataDirOf(values, network);
  const { processors: cores, memory } = machineLimits();
  const rpc = rpcOptions(values, network, dataDir);
  const p2p = p2pOptions(values, network, dataDir);
  return {
    network,
    dataDir,
    shownOptions: shownOptions(given),
    resetChain: network.name === 'regtest' && !values.get('keep-fakechain'),
    keepAlternativeBlocks: values.get('keep-alt-blocks'),
    syncMode: readSyncMode(values),
    verificationThreads: values.get('max-concurrency'),
    cryptoBackend: values.word('crypto-backend'),
    powEngine: values.word('pow-engine'),
    powDataset: values.word('pow-dataset'),
    prune: values.get('prune-blockchain'),
    buildTree: values.get('build-tree'),
    checkpoints: checkpointOptions(values, dataDir),
    trustedBlocks,
    powThreads: values.get('prep-blocks-threads') ?? cores,
    readAheadThreads: values.get('read-ahead-threads'),
    interactive: !values.get('non-interactive') && !values.get('detach'),
    json: values.get('json'),
    detach: detachSettings(values),
    logLevel: values.get('log-level') ?? process.env['MONERO_LOGS'] ?? '',
    logFormat: logFormat(values),
    logFile: logFile(values, dataDir),
    maxPoolWeight: values.get('max-txpool-weight'),
    mining: miningSettings(values, network),
    stratum: stratumSettings(values, network, rpc),
    p2p,
    banListUrl: banListUrl(values),
    rpc,
    hiddenServices: hiddenServices(values),
    rpcWorkers: rpcWorkers(values, rpc, { cores, memory, platform: process.platform }),
    rpcVersion: rpcVersion(values, VERSION),
    rpcLogin: readLogin(values, process.env['RPC_LOGIN']),
    zmq: zmqOptions(values, network),
    rpcClientLog: values.get('rpc-client-log'),
    metrics: metricsSettings(values),
    ...fleetSettings(values),
    events: eventSettings(values, network),
    seedFrom: seedFrom(values),
    seedServer: seedServerSettings(values),
    notify: notifySettings(values),
    alerts: alertSettings(values),
    updates: updateOptions(values, dataDir),
    warnings: [...warnings, ...banListWarnings(p2p), ...portMappingWarnings(p2p, network)],
  };
}
