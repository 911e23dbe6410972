import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import { CHAIN_DIR, makeDataDir } from '@monero-node/node';
import { RpcClient } from '@monero-node/rpc-client';
import { checkNotInUse } from '@monero-node/storage';
import { startLines } from './banner/start-lines.ts';
import { startedLines } from './banner/started-lines.ts';
import { claimPidFile, removePidFile } from './background/pid-file.ts';
import { startDetached } from './background/start-detached.ts';
import { reportStart, takeMark } from './background/start-report.ts';
import { askOnTerminal, completeLogin } from './cli/rpc-login.ts';
import { checkLibp2p } from './cli/p2p-settings.ts';
import { readLogLevels } from './cli/process-settings.ts';
import type { Configuration, DaemonSettings } from './cli/daemon-settings.ts';
import type { Console } from './console/console.ts';
import { LEVELS, type LogLevels } from './log/log-levels.ts';
import { fileLimitWarnings } from './ending/descriptor-limit.ts';
import { EXIT } from './ending/exit-codes.ts';
import { failureOfStart, failureOfStore } from './ending/failure.ts';
import { listenFailure } from './ending/listen-failure.ts';
import { StopRequest } from './ending/stop-request.ts';
import { UncaughtErrors } from './ending/uncaught-errors.ts';
import { openLog, type Log } from './log/open-log.ts';
import { Terminal } from './terminal/terminal.ts';
import { createNode, type DaemonNode, type NodeDependencies } from './node.ts';
import { Reloader } from './reload/reloader.ts';
import { StallWatch } from './runtime/stall-watch.ts';
import { releaseMemoryRegularly } from './runtime/unused-memory.ts';
import { takeServiceManager, type ServiceManager } from './service/service-manager.ts';
import { statusText } from './service/status-text.ts';
import { VERSION_TEXT } from './version.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** File of the data directory for the lines typed into the console. */
const HISTORY_FILE = 'console-history';

/** Adds the login to the RPC options, after asking for a missing password. */
async function withLogin(settings: DaemonSettings): Promise<DaemonSettings> {
  const { rpcLogin, interactive } = settings;
  if (rpcLogin === undefined) return settings;
  const ask = interactive ? askOnTerminal : () => Promise.resolve(undefined);
  const login = await completeLogin(rpcLogin, ask, { repeat: true });
  return { ...settings, rpc: { ...settings.rpc, login } };
}

/** The parts of the process around a node. */
interface Surroundings {
  readonly levels: LogLevels;
  readonly log: Log;
  readonly terminal: Terminal;
  readonly reloader: Reloader;
  readonly onStarted: () => void;
}

/** The parts of the process around a node in which it runs. */
interface ConsoleSurroundings {
  readonly node: DaemonNode;
  readonly terminal: Terminal;
  readonly reloader: Reloader;
  readonly onEnd: () => void;
}

/** Starts the console. Returns undefined where there is none; its code is not loaded then. */
async function startConsole(
  settings: DaemonSettings,
  { node, terminal, reloader, onEnd }: ConsoleSurroundings,
): Promise<Console | undefined> {
  const { dataDir, interactive } = settings;
  if (!interactive) return undefined;
  const { Console } = await import('./console/console.ts');
  const daemon = new RpcClient({ transport: node.rpc.local });
  const console = new Console({
    daemon,
    own: node.state,
    examine: async () => {
      const { examineOwnNode } = await import('./doctor/run-doctor.ts');
      return await examineOwnNode(reloader.settings, daemon);
    },
    reload: () => reloader.reload(),
    input: process.stdin,
    historyPath: join(dataDir, HISTORY_FILE),
    terminal,
    onEnd,
    // As if the terminal had turned the key into a signal itself.
    onInterrupt: () => process.kill(process.pid, 'SIGINT'),
  });
  console.start();
  return console;
}

/**
 * Builds a node and starts it. When that fails, the service manager is told and the program that notifies it ends first. Resolves with undefined when
 * the daemon is told to stop while the curve tree of the chain is built.
 */
async function startNode(
  settings: DaemonSettings,
  dependencies: NodeDependencies & { readonly signal: AbortSignal },
  service: ServiceManager,
): Promise<DaemonNode | undefined> {
  const { logger, signal } = dependencies;
  try {
    const node = await createNode(settings, dependencies);
    await node.start();
    return node;
  } catch (error) {
    await service.stopping();
    if (!signal.aborted || error !== signal.reason) throw error;
    logger.info('Stopped. The next start goes on with the curve tree.');
    return undefined;
  }
}

/** Copies the chain of `--seed-from`, unless this data directory has it already. Rejects when it cannot be had. */
async function seed(
  settings: DaemonSettings,
  logger: Logger,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (text: string) => void },
): Promise<void> {
  const { dataDir, seedFrom } = settings;
  if (seedFrom === undefined) return;
  const { seedChain, wasSeeded } = await import('./chain-tool/seed-chain.ts');
  if (wasSeeded(dataDir)) {
    logger.info('--seed-from has no effect any more: the chain was copied at an earlier start');
    return;
  }
  await seedChain(settings, seedFrom, { logger, signal, onStep });
}

/** Copies the chain before the node is built. Resolves with whether it is to be built; with false when the daemon is told to stop. */
async function seedFirst(
  settings: DaemonSettings,
  { logger, end, service }: { logger: Logger; end: AbortSignal; service: ServiceManager },
): Promise<boolean> {
  try {
    const onStep = (text: string): void => service.starting(text);
    await seed(settings, logger, { signal: end, onStep });
    return true;
  } catch (error) {
    await service.stopping();
    if (!end.aborted) throw error;
    logger.info('Stopped. The next start goes on with the copy of the chain.');
    return false;
  }
}

/** Runs a node until it is told to stop; returns the exit status. */
async function runNode(
  settings: DaemonSettings,
  { levels, log, terminal, reloader, onStarted }: Surroundings,
): Promise<number> {
  const { logger } = log;
  const stop = new StopRequest();
  for (const signal of STOP_SIGNALS) process.on(signal, stop.signal);
  process.on('SIGUSR1', log.reopen);
  // With a console, SIGHUP means that the terminal has gone. Without one it is a request to reopen the log and to reload.
  process.on('SIGHUP', settings.interactive ? stop.signal : log.reopen);
  if (!settings.interactive) process.on('SIGHUP', reloader.onSignal);
  for (const line of [VERSION_TEXT, ...(await startLines(settings))]) logger.info(line);
  const service = takeServiceManager(process.env, process.pid, logger);
  for (const warning of [...settings.warnings, ...fileLimitWarnings()]) logger.warn(warning);
  new UncaughtErrors({
    logger,
    dataDir: settings.dataDir,
    version: VERSION_TEXT,
    options: settings.shownOptions,
    recentLines: () => log.recent.lines,
    onFailure: stop.fail,
  });

  const stalls = new StallWatch(logger, levels.allows('global', LEVELS.indexOf('DEBUG')));
  const end = new AbortController();
  void stop.requested.then(() => end.abort());
  const dependencies = {
    logger,
    signal: end.signal,
    logLevels: levels,
    logLines: log.lines,
    notableLines: log.notable,
    restoreLog: log.restore,
    requestStop: stop.request,
    onStorageFailure: (error: unknown) => {
      const { status, text } = failureOfStore(error, settings.dataDir);
      logger.error(text);
      stop.fail(status);
    },
    onGivingUp: () => {
      stop.fail(EXIT.unavailable);
    },
  };
  if (!(await seedFirst(settings, { logger, end: end.signal, service }))) return stop.status;
  const node = await startNode(settings, dependencies, service);
  if (node === undefined) return stop.status;
  for (const line of startedLines(settings, node)) logger.info(line);
  const { p2p, rpc, bans } = node;
  reloader.started({ levels, p2p, rpc, bans });
  const onEnd = stop.request;
  const console = await startConsole(settings, { node, terminal, reloader, onEnd });
  if (settings.detach !== undefined) await reportStart({ started: true });
  service.started(() => statusText(node));
  // Start-up has ended: from now on the node must be able to answer at any time.
  onStarted();
  const keepMemory = releaseMemoryRegularly();
  stalls.start();
  await stop.requested;
  reloader.stop();
  await drain(settings.drainSeconds, { node, stop, logger });
  stalls.stop();
  keepMemory();
  await console?.stop();
  logger.info('Stopping ...');
  await Promise.all([service.stopping(), node.stop()]);
  logger.info('Stopped.');
  return stop.status;
}

/** Serves on while balancers send clients elsewhere. A node that has failed stops at once. */
async function drain(
  seconds: number,
  { node, stop, logger }: { node: DaemonNode; stop: StopRequest; logger: Logger },
): Promise<void> {
  if (seconds === 0 || stop.status !== EXIT.ok) return;
  node.announceStop();
  logger.info(`Stopping in ${seconds} seconds (--drain-seconds); a second signal stops at once`);
  await stop.delay(seconds * 1000);
}

/** Writes the PID file and removes it when this process ends. Throws PidFileError when it cannot be written. */
function keepPidFile(path: string): void {
  claimPidFile(path);
  process.on('exit', () => removePidFile(path));
}

/** Reports why the start failed, to the user and to the process that waits for it; returns the exit status. */
async function failStart(
  settings: DaemonSettings,
  error: unknown,
  say: (failed: string) => void,
): Promise<number> {
  const { status, text } = failureOfStart(error, settings.dataDir);
  const failed = `Failed to start: ${listenFailure(error, settings) ?? text}`;
  say(failed);
  if (settings.detach !== undefined) await reportStart({ failed });
  return status;
}

/** What a run with a log needs besides its settings. */
interface LoggedRun {
  readonly configuration: Configuration;
  readonly levels: LogLevels;
  readonly onStarted: () => void;
}

/** Opens the log and runs the node in this process; returns the exit status. */
async function runLogged(
  settings: DaemonSettings,
  { configuration, levels, onStarted }: LoggedRun,
): Promise<number> {
  const terminal = new Terminal(process.stdout);
  let log: Log;
  try {
    // Before anything is written: the log of a running daemon has one writer.
    await checkNotInUse(join(settings.dataDir, CHAIN_DIR));
    // Before the log is opened, because its file is usually in it.
    makeDataDir(settings.dataDir);
    log = openLog(levels, settings.logFile, { terminal, format: settings.logFormat });
  } catch (error) {
    return await failStart(settings, error, printError);
  }
  try {
    if (settings.detach?.pidFile !== undefined) keepPidFile(settings.detach.pidFile);
    const reloader = new Reloader(configuration, log.logger);
    return await runNode(settings, { levels, log, terminal, reloader, onStarted });
  } catch (error) {
    return await failStart(settings, error, (failed) => log.logger.error(failed));
  } finally {
    await Promise.all([log.close(), terminal.finish()]);
  }
}

/** Starts the same program again in the background; returns the exit status. */
async function detach(
  argv: readonly string[],
  program: string,
  { dataDir, logFile }: DaemonSettings,
): Promise<number> {
  try {
    await checkNotInUse(join(dataDir, CHAIN_DIR));
    makeDataDir(dataDir);
    const pid = await startDetached({ program, argv, logFile: logFile.path });
    process.stdout.write(`Running in the background as process ${pid}, log file ${logFile.path}\n`);
    return EXIT.ok;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return EXIT.failed;
  }
}

/**
 * Runs a node with these settings in this process, or in the background with `--detach`; returns the exit status.
 *
 * Throws UsageError, before anything was opened, for options that only the loaded code can check, and when the login lacks a
 * password and there is no terminal on which to ask for it.
 *
 * @param argv the arguments that the settings were read from
 * @param program path of the script that was started, for `--detach`
 * @param onStarted called when the node in this process has started
 */
export async function runDaemon(
  configuration: Configuration,
  {
    argv,
    program,
    onStarted,
  }: {
    readonly argv: readonly string[];
    readonly program: string;
    readonly onStarted: () => void;
  },
): Promise<number> {
  const inBackground = takeMark(process.env);
  const given = configuration.settings;
  await checkLibp2p(given.p2p.libp2p);
  const settings = await withLogin(given);
  const levels = readLogLevels(settings.logLevel);
  if (settings.detach !== undefined && !inBackground) return detach(argv, program, settings);
  return runLogged(settings, { configuration, levels, onStarted });
}

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}
