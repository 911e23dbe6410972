import type { Logger } from '@monero-node/base';
import { BLOCK_GROUP_SIZE, formatsOf } from '@monero-node/consensus';
import { ExpectedWork, type OpenChain } from '@monero-node/node';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { ImportSource } from './import-source.ts';
import { BootstrapReader } from './bootstrap-reader.ts';
import { importBlocks } from './import-blocks.ts';
import { ImportProgress } from './import-progress.ts';
import { MonerodSource } from './monerod-source.ts';
import { numberOf, required, type ToolOption } from './tool-options.ts';

type Own = ReadonlyMap<ToolOption, string>;

/** An import that is ready to run. */
interface ImportCommand {
  readonly settings: DaemonSettings;
  run(task: { chain: OpenChain; own: Own; log: Logger; signal: AbortSignal }): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens what is to be imported. Throws UsageError for options that contradict each other, and what opening a bootstrap file
 * or a database of monerod throws.
 */
export async function prepareImport(
  given: DaemonSettings,
  own: Own,
  log: Logger,
): Promise<ImportCommand> {
  const unverified = own.has('dangerous-unverified-import');
  const settings = own.has('verify') ? withoutTrust(given) : given;
  if (unverified && own.has('verify')) {
    throw new UsageError('--verify and --dangerous-unverified-import contradict each other');
  }
  if (unverified) log.warn('importing without verification: what is imported is trusted');
  else if (settings.trustedBlocks.line !== undefined) log.info(settings.trustedBlocks.line);
  if (!own.has('from-monerod')) {
    const formats = formatsOf(settings.network);
    const reader = await BootstrapReader.open(required(own, 'input-file'), formats);
    return commandFor(reader, settings, unverified);
  }
  if (own.has('input-file')) {
    throw new UsageError('--from-monerod and --input-file exclude each other');
  }
  const source = new MonerodSource(required(own, 'from-monerod'), settings.network.dataDirSuffix);
  log.info(describeSource(source));
  return commandFor(source, unverified ? await trusting(settings, source) : settings, false);
}

function commandFor(source: ImportSource, settings: DaemonSettings, trust: boolean): ImportCommand {
  return {
    settings,
    run: ({ chain, own, log, signal }) =>
      runImport(source, { chain, own, log, signal, trust, settings }),
    close: () => source.close(),
  };
}

interface RunOptions {
  readonly chain: OpenChain;
  readonly own: Own;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly settings: DaemonSettings;
  /** Whether to verify nothing. */
  readonly trust: boolean;
}

async function runImport(source: ImportSource, options: RunOptions): Promise<void> {
  const { chain, own, log, signal, settings, trust } = options;
  const { blockchain, outliner } = chain;
  if (outliner !== undefined) source.readAhead(outliner);
  if (settings.prune) await blockchain.prune(source.pruningSeed || undefined);
  const before = blockchain.height;
  const seed = blockchain.pruningSeed;
  const blockStop = numberOf(own, 'block-stop');
  const batchSize = numberOf(own, 'batch-size', 1) ?? 100;
  let progress: ImportProgress | undefined;
  const expectedWork = expectedWorkOf(source, options, blockStop);
  const { height, lacksData } = await importBlocks(blockchain, source, {
    trust,
    trustedBelow: settings.trustedBlocks.groups.length * BLOCK_GROUP_SIZE,
    blockStop,
    batchSize,
    signal,
    onStart: (start) => {
      progress = new ImportProgress(log, start);
      void expectedWork?.start();
    },
    onProgress: (reached) => progress?.update(reached),
  }).finally(() => expectedWork?.stop());
  log.info(`${height - before} blocks imported; the chain has ${height} blocks`);
  if (blockchain.pruningSeed !== seed) {
    log.info(`the chain is pruned, with seed ${blockchain.pruningSeed}, as the imported one`);
  }
  if (lacksData) log.warn(lackingText(source, height));
}

/** Returns what tells the hasher how many blocks of a seed come, as while a node synchronizes; undefined when none is verified. */
function expectedWorkOf(
  source: ImportSource,
  { chain, settings, trust }: RunOptions,
  blockStop: number | undefined,
): ExpectedWork | undefined {
  if (trust) return undefined;
  const { blockchain, pow } = chain;
  const end = (blockStop ?? Infinity) + 1;
  const trustedGroups = settings.trustedBlocks.groups.length;
  return new ExpectedWork(
    { skipsEasiest: false, trustedGroups },
    { blockchain, pow, target: () => Math.min(source.height, end) },
  );
}

function lackingText({ name }: ImportSource, height: number): string {
  return `${name} was pruned, and block ${height} cannot be verified without what is missing: start the node, which gets the blocks from there on from other nodes. With --dangerous-unverified-import the rest of the database is trusted instead`;
}

function describeSource({ path, height, pruningSeed }: MonerodSource): string {
  const pruned = pruningSeed === 0 ? 'not pruned' : `pruned with seed ${pruningSeed}`;
  return `importing from ${path}: ${height} blocks, ${pruned}`;
}

function withoutTrust(settings: DaemonSettings): DaemonSettings {
  const line = 'Every block is verified in full.';
  return { ...settings, trustedBlocks: { groups: [], line } };
}

/**
 * Trusts the database as if its blocks were the list of the network. The blocks after the last complete group are
 * verified.
 */
async function trusting(settings: DaemonSettings, source: MonerodSource): Promise<DaemonSettings> {
  return { ...settings, trustedBlocks: { groups: await source.groups(), line: undefined } };
}
