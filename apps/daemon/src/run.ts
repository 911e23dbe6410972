import { monitorEventLoopDelay } from 'node:perf_hooks';
import { RpcClient } from '@monero-node/rpc-client';
import { claimPidFile, removePidFile } from './background/pid-file.ts';
import { startDetached } from './background/start-detached.ts';
import { reportStart, takeMark } from './background/start-report.ts';
import { askOnTerminal, completeLogin } from './cli/rpc-login.ts';
import { helpText } from './cli/help.ts';
import { UsageError } from './cli/option-types.ts';
import { parseArguments } from './cli/parse-arguments.ts';
import { makeDaemonSettings, type DaemonSettings } from './cli/daemon-settings.ts';
import { Console } from './console/console.ts';
import { runRemoteCommand } from './console/remote.ts';
import { LogLevels } from './log/log-levels.ts';
import { openLog, type Log } from './log/open-log.ts';
import { createNode, type MoneroNode } from './node.ts';
import { VERSION_TEXT } from './version.ts';

/** Exit status EX_UNAVAILABLE of sysexits.h: this machine cannot verify or store blocks. */
const UNAVAILABLE = 69;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Collects requests to stop the daemon. */
class StopRequest {
  /** Resolves at the first request. */
  readonly requested: Promise<void>;
  #resolve: () => void = () => undefined;
  #count = 0;

  constructor() {
    this.requested = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  readonly request = (): void => this.#resolve();

  /** Handles a signal. The second one ends the process at once: the user does not want to wait. */
  readonly signal = (): void => {
    this.#count++;
    if (this.#count > 1) process.exit(1);
    this.#resolve();
  };
}

function logLevels(settings: DaemonSettings): LogLevels {
  try {
    return new LogLevels(settings.logLevel);
  } catch (error) {
    throw new UsageError(`--log-level: ${(error as Error).message}`);
  }
}

/** Adds the login to the RPC options, after asking for a missing password. */
async function withLogin(settings: DaemonSettings): Promise<DaemonSettings> {
  const { rpcLogin, interactive } = settings;
  if (rpcLogin === undefined) return settings;
  const ask = interactive ? askOnTerminal : () => Promise.resolve(undefined);
  const login = await completeLogin(rpcLogin, ask, { repeat: true });
  return { ...settings, rpc: { ...settings.rpc, login } };
}

function listenAddresses(settings: DaemonSettings, node: MoneroNode): string {
  const p2p = settings.p2p.offline
    ? 'offline'
    : `p2p on ${settings.p2p.bindIp}:${node.p2p.listenPort}`;
  return `${p2p}, RPC on ${settings.rpc.bindIp}:${node.rpc.ports.main}`;
}

/** Runs a node until it is told to stop; returns the exit status. */
async function runNode(settings: DaemonSettings, levels: LogLevels, log: Log): Promise<number> {
  const { logger } = log;
  const stop = new StopRequest();
  for (const signal of STOP_SIGNALS) process.on(signal, stop.signal);
  logger.info(VERSION_TEXT);
  for (const warning of settings.warnings) logger.warn(warning);
  let status = 0;
  const crash = (error: unknown): void => {
    logger.error(`unexpected error: ${error instanceof Error ? error.stack : String(error)}`);
    status = 1;
    stop.request();
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  const stalls = monitorEventLoopDelay({ resolution: 5 });
  const node = await createNode(settings, {
    logger,
    logLevels: levels,
    requestStop: stop.request,
    onGivingUp: () => {
      status = UNAVAILABLE;
      stop.request();
    },
  });
  await node.start();
  const { nettype } = settings.network;
  logger.info(
    `${nettype} node started at height ${node.blockchain.height}: ${listenAddresses(settings, node)}`,
  );
  for (const address of node.p2p.libp2pAddresses) logger.info(`libp2p: reached at ${address}`);
  const console = new Console({
    daemon: new RpcClient({ transport: node.rpc.local }),
    input: process.stdin,
    print,
    onEnd: stop.request,
  });
  if (settings.interactive) console.start();
  if (settings.detach !== undefined) await reportStart({ started: true });
  // Start-up has ended: from now on the node must be able to answer at any time.
  stalls.enable();
  await stop.requested;
  stalls.disable();
  console.stop();
  logger.info('Stopping ...');
  await node.stop();
  logger.info(`event loop: longest stall ${(stalls.max / 1e6).toFixed(0)} ms`);
  logger.info('Stopped.');
  return status;
}

function usage(error: UsageError): number {
  process.stderr.write(`Failed to parse arguments: ${error.message}\n`);
  if (error.showHelp) process.stdout.write(`${helpText(VERSION_TEXT)}\n`);
  return 1;
}

/** Writes the PID file and removes it when this process ends. Throws PidFileError when it cannot be written. */
function keepPidFile(path: string): void {
  claimPidFile(path);
  process.on('exit', () => removePidFile(path));
}

/** Opens the log and runs the node in this process; returns the exit status. */
async function runLogged(settings: DaemonSettings, levels: LogLevels): Promise<number> {
  const log = openLog(levels, settings.logFile);
  try {
    if (settings.detach?.pidFile !== undefined) keepPidFile(settings.detach.pidFile);
    return await runNode(settings, levels, log);
  } catch (error) {
    const failed = `Failed to start: ${(error as Error).message}`;
    log.logger.error(failed);
    if (settings.detach !== undefined) await reportStart({ failed });
    return 1;
  } finally {
    log.close();
  }
}

/** Starts the same program again in the background; returns the exit status. */
async function detach(
  argv: readonly string[],
  program: string,
  { logFile }: DaemonSettings,
): Promise<number> {
  try {
    const pid = await startDetached({ program, argv, logFile: logFile.path });
    return print(`Running in the background as process ${pid}, log file ${logFile.path}`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

/**
 * Runs the daemon with the given arguments; returns the exit status.
 *
 * @param program path of the script that was started, for `--detach`.
 */
export async function run(argv: readonly string[], program: string): Promise<number> {
  const inBackground = takeMark(process.env);
  let settings: DaemonSettings;
  let levels: LogLevels;
  try {
    const { values, words } = parseArguments(argv);
    if (values.has('help')) return print(helpText(VERSION_TEXT));
    if (values.has('version')) return print(VERSION_TEXT);
    if (values.has('os-version')) return print(`${process.platform} ${process.arch}`);
    const given = makeDaemonSettings(values);
    if (words.length > 0) return await runRemoteCommand(words, given, print);
    settings = await withLogin(given);
    levels = logLevels(settings);
  } catch (error) {
    if (error instanceof UsageError) return usage(error);
    throw error;
  }
  if (settings.detach !== undefined && !inBackground) return detach(argv, program, settings);
  return runLogged(settings, levels);
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
