import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeBlockGroups } from '@monero-node/consensus';
import { CHAIN_DIR, Lifecycle, makeDataDir, openChain, type OpenChain } from '@monero-node/node';
import { checkNotInUse, namingFile } from '@monero-node/storage';
import { makeDaemonSettings, type DaemonSettings } from '../cli/daemon-settings.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { UsageError } from '../cli/usage-error.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { failureOfStart } from '../ending/failure.ts';
import { UncaughtErrors } from '../ending/uncaught-errors.ts';
import { LogLevels } from '../log/log-levels.ts';
import { openLog, type Log } from '../log/open-log.ts';
import { VERSION_TEXT } from '../version.ts';
import { backupCommand } from './backup-command.ts';
import { chainUsage, checkOptionsOf } from './commands.ts';
import { compactCommand } from './compact-command.ts';
import { prepareExport } from './export-command.ts';
import { groupStoredBlocks } from './group-blocks.ts';
import { prepareImport } from './import-command.ts';
import { infoCommand } from './info-command.ts';
import { seedCommand } from './seed-command.ts';
import type { StoreTask } from './store-task.ts';
import { numberOf, required, splitArguments, type ToolOption } from './tool-options.ts';
import { verifyCommand } from './verify-command.ts';

/** The input of a subcommand. */
interface Task {
  readonly chain: OpenChain;
  readonly own: ReadonlyMap<ToolOption, string>;
  readonly log: Log['logger'];
  readonly signal: AbortSignal;
}

/** Work on the chain, once everything it needs beside the chain is open. */
interface Command {
  /** With the settings that the chain is to be opened with. */
  readonly settings: DaemonSettings;
  run(task: Task): Promise<void>;
  close?(): Promise<void>;
}

/** Prepares a subcommand before the chain is opened, so that what is wrong with its options leaves no trace. */
type Prepare = (
  settings: DaemonSettings,
  own: Task['own'],
  log: Log['logger'],
) => Command | Promise<Command>;

const COMMANDS: Readonly<Record<string, Prepare>> = {
  import: prepareImport,
  export: prepareExport,
  'block-hashes': (settings) => ({ settings, run: blockHashesCommand }),
};

/** Subcommands that need the data only. The status is 0 when they return nothing. */
const STORE_COMMANDS: Readonly<Record<string, (task: StoreTask) => Promise<number | void>>> = {
  backup: backupCommand,
  compact: compactCommand,
  info: infoCommand,
  seed: seedCommand,
  verify: verifyCommand,
};

async function blockHashesCommand({ chain, own, log }: Task): Promise<void> {
  const path = required(own, 'output-file');
  const last = numberOf(own, 'block-stop') ?? chain.store.height - 1;
  const groups = await groupStoredBlocks(chain.store, last);
  await namingFile(path, () => writeFile(path, encodeBlockGroups(groups)));
  log.info(`${groups.length} groups of 512 blocks written`);
}

async function runOnChain(command: Command, task: Omit<Task, 'chain'>): Promise<void> {
  const { log } = task;
  const { settings } = command;
  const { dataDir, network, resetChain, keepAlternativeBlocks, syncMode, trustedBlocks } = settings;
  const { cryptoBackend, powEngine, powThreads, verificationThreads, readAheadThreads } = settings;
  const storage = { dataDir, network, resetChain, keepAlternativeBlocks, syncMode, trustedBlocks };
  const engines = { cryptoBackend, powEngine, powThreads, verificationThreads, readAheadThreads };
  // At the top of the chain the tool ends, so it has no dataset to keep there.
  const powDataset = settings.powDataset === 'keep' ? 'always' : settings.powDataset;
  const chain = await openChain({ ...storage, ...engines, powDataset }, { logger: log });
  const lifecycle = new Lifecycle(chain.parts, (part, error) =>
    log.error(`stopping ${part} failed: ${(error as Error).message}`),
  );
  await lifecycle.start();
  try {
    await command.run({ ...task, chain });
  } finally {
    await lifecycle.stop();
  }
}

/** Opens the chain and runs a subcommand on it; returns the exit status. */
async function runTask(
  prepare: Prepare,
  settings: DaemonSettings,
  own: Task['own'],
): Promise<number> {
  try {
    // The log of a running daemon has one writer.
    await checkNotInUse(join(settings.dataDir, CHAIN_DIR));
    makeDataDir(settings.dataDir);
  } catch (error) {
    const { status, text } = failureOfStart(error, settings.dataDir);
    process.stderr.write(`${text}\n`);
    return status;
  }
  const log = openLog(new LogLevels(settings.logLevel), settings.logFile);
  const { logger } = log;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());
  let status: number = EXIT.ok;
  const uncaught = new UncaughtErrors({
    logger,
    dataDir: settings.dataDir,
    version: `${VERSION_TEXT} chain tool`,
    options: settings.shownOptions,
    recentLines: () => log.recent.lines,
    onFailure: (code) => {
      if (status === EXIT.ok) status = code;
      stop.abort();
    },
  });
  try {
    const command = await prepare(settings, own, logger);
    try {
      await runOnChain(command, { own, log: logger, signal: stop.signal });
    } finally {
      await command.close?.();
    }
    if (status !== EXIT.ok) return status;
    return stop.signal.aborted ? EXIT.interrupted : EXIT.ok;
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) {
      logger.info('interrupted');
      return status === EXIT.ok ? EXIT.interrupted : status;
    }
    const failure = failureOfStart(error, settings.dataDir);
    logger.error(failure.text);
    return status === EXIT.ok ? failure.status : status;
  } finally {
    uncaught.close();
    await log.close();
  }
}

/** Runs a subcommand with its arguments; returns the exit status. */
export async function runCommand(name: string, args: readonly string[]): Promise<number> {
  const command = COMMANDS[name];
  const storeCommand = STORE_COMMANDS[name];
  try {
    const { own, rest } = splitArguments(args);
    checkOptionsOf(name, own);
    const { values, words } = parseArguments(rest);
    // Unlike the daemon, the tool keeps a regtest chain.
    const settings = { ...makeDaemonSettings(values), resetChain: false };
    if (storeCommand !== undefined)
      return await runStoreTask(storeCommand, { settings, own, words });
    if (command === undefined) throw new UsageError(`unknown command '${name}'`);
    if (words.length > 0) throw new UsageError(`unexpected '${words.join(' ')}'`);
    return await runTask(command, settings, own);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`Failed to parse arguments: ${error.message}\n${chainUsage()}`);
    return EXIT.failed;
  }
}

/**
 * Runs a subcommand that looks after the stored data; returns the exit status. It writes no log file, because that of a running
 * node has one writer.
 *
 * Throws UsageError.
 */
async function runStoreTask(
  run: (task: StoreTask) => Promise<number | void>,
  input: Pick<StoreTask, 'settings' | 'own' | 'words'>,
): Promise<number> {
  const stop = new AbortController();
  const end = () => stop.abort(new Error('interrupted'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    const status = await run({ ...input, print, signal: stop.signal });
    return status ?? EXIT.ok;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const failure = failureOfStart(error, input.settings.dataDir);
    process.stderr.write(`${stop.signal.aborted ? 'interrupted' : failure.text}\n`);
    return stop.signal.aborted ? EXIT.interrupted : failure.status;
  }
}
