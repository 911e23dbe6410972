import { writeFileSync } from 'node:fs';
import { encodeBlockGroups } from '@monero-node/consensus';
import { UsageError } from '../cli/option-types.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { makeDaemonSettings, type DaemonSettings } from '../cli/daemon-settings.ts';
import { Lifecycle } from '../parts/lifecycle.ts';
import { LogLevels } from '../log/log-levels.ts';
import { openLog, type Log } from '../log/open-log.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { failureOfStart } from '../ending/failure.ts';
import { UncaughtErrors } from '../ending/uncaught-errors.ts';
import { openChain, type OpenChain } from '../parts/open-chain.ts';
import { groupStoredBlocks } from './group-blocks.ts';
import { exportBlocks } from './export-blocks.ts';
import { importBlocks } from './import-blocks.ts';
import { BootstrapReader } from './bootstrap-reader.ts';
import { VERSION_TEXT } from '../version.ts';
import {
  numberOf,
  required,
  splitArguments,
  TOOL_OPTIONS,
  type ToolOption,
} from './tool-options.ts';

const USAGE = `Usage: chain import --input-file FILE [options]
       chain export --output-file FILE [options]
       chain block-hashes --output-file FILE [options]

  import        adds the blocks of a bootstrap file (blockchain.raw) to the chain in --data-dir
  export        writes or continues a bootstrap file
  block-hashes  writes a file for the daemon's option --block-hashes-file

The daemon must not be running on the same data directory. Options, in addition to the daemon's
(--data-dir, --testnet, --stagenet, --regtest, --db-sync-mode, ...):
${Object.entries(TOOL_OPTIONS)
  .map(([name, help]) => `  --${name} ${help}`)
  .join('\n')}
`;

/** The input of a subcommand. */
interface Task {
  readonly chain: OpenChain;
  readonly own: ReadonlyMap<ToolOption, string>;
  readonly log: Log['logger'];
  readonly signal: AbortSignal;
}

const COMMANDS: Readonly<Record<string, (task: Task) => Promise<void>>> = {
  import: importCommand,
  export: exportCommand,
  'block-hashes': blockHashesCommand,
};

async function importCommand({ chain, own, log, signal }: Task): Promise<void> {
  const trust = own.has('dangerous-unverified-import');
  const blockStop = numberOf(own, 'block-stop');
  const batchSize = numberOf(own, 'batch-size', 1) ?? 100;
  const reader = await BootstrapReader.open(required(own, 'input-file'));
  try {
    const { blockchain } = chain;
    if (trust) log.warn('importing without verification: the contents of the file are trusted');
    const before = blockchain.height;
    const height = await importBlocks(blockchain, reader, {
      trust,
      batchSize,
      signal,
      blockStop,
      onProgress: ({ height, share }) =>
        log.info(`imported up to block ${height - 1}, ${(share * 100).toFixed(1)} % of the file`),
    });
    log.info(`${height - before} blocks imported; the chain has ${height} blocks`);
  } finally {
    await reader.close();
  }
}

async function exportCommand({ chain, own, log, signal }: Task): Promise<void> {
  const blockStop = numberOf(own, 'block-stop');
  const count = await exportBlocks(chain.blockchain, required(own, 'output-file'), {
    blockStart: numberOf(own, 'block-start') ?? 0,
    signal,
    blockStop,
    onProgress: ({ height, last }) => log.info(`block ${height} of ${last}`),
  });
  log.info(`${count} blocks written`);
}

async function blockHashesCommand({ chain, own, log }: Task): Promise<void> {
  const path = required(own, 'output-file');
  const last = numberOf(own, 'block-stop') ?? chain.store.height - 1;
  const groups = await groupStoredBlocks(chain.store, last);
  writeFileSync(path, encodeBlockGroups(groups));
  log.info(`${groups.length} groups of 512 blocks written`);
}

/** Opens the chain and runs a subcommand on it; returns the exit status. */
async function runTask(
  command: (task: Task) => Promise<void>,
  settings: DaemonSettings,
  own: Task['own'],
): Promise<number> {
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
    const chain = await openChain(settings, { logger });
    const lifecycle = new Lifecycle(chain.parts, (part, error) =>
      logger.error(`stopping ${part} failed: ${(error as Error).message}`),
    );
    await lifecycle.start();
    try {
      await command({ chain, own, log: logger, signal: stop.signal });
    } finally {
      await lifecycle.stop();
    }
    if (status !== EXIT.ok) return status;
    return stop.signal.aborted ? EXIT.interrupted : EXIT.ok;
  } catch (error) {
    const failure = failureOfStart(error, settings.dataDir);
    logger.error(failure.text);
    return status === EXIT.ok ? failure.status : status;
  } finally {
    uncaught.close();
    log.close();
  }
}

/** Runs the chain tool (import, export, block-hashes) with the given arguments; returns the exit status. */
export async function runChainTool(argv: readonly string[]): Promise<number> {
  const [name = '', ...args] = argv;
  const command = COMMANDS[name];
  if (command === undefined) {
    const asked = name === '--help' || name === 'help';
    (asked ? process.stdout : process.stderr).write(USAGE);
    return asked ? EXIT.ok : EXIT.failed;
  }
  try {
    const { own, rest } = splitArguments(args);
    const { values, words } = parseArguments(rest);
    if (words.length > 0) throw new UsageError(`unexpected '${words.join(' ')}'`);
    // Unlike the daemon, the tool keeps a regtest chain.
    const settings = { ...makeDaemonSettings(values), resetChain: false };
    return await runTask(command, settings, own);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`Failed to parse arguments: ${error.message}\n${USAGE}`);
    return EXIT.failed;
  }
}
