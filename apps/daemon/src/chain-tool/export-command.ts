import type { Logger } from '@monero-node/base';
import type { OpenChain } from '@monero-node/node';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { UsageError } from '../cli/usage-error.ts';
import { exportBlocks } from './export-blocks.ts';
import { exportToMonerod } from './export-to-monerod.ts';
import { numberOf, required, type ToolOption } from './tool-options.ts';

type Own = ReadonlyMap<ToolOption, string>;

interface ExportTask {
  readonly chain: OpenChain;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** An export that is ready to run. */
interface ExportCommand {
  readonly settings: DaemonSettings;
  run(task: ExportTask): Promise<void>;
}

/** Prepares an export to a file, or to a folder for monerod. Throws UsageError for options that are missing or contradict each other. */
export function prepareExport(settings: DaemonSettings, own: Own): ExportCommand {
  const blockStop = numberOf(own, 'block-stop');
  if (!own.has('to-monerod')) {
    const path = required(own, 'output-file');
    const blockStart = numberOf(own, 'block-start') ?? 0;
    return { settings, run: (task) => exportFile(path, { blockStart, blockStop }, task) };
  }
  for (const other of ['output-file', 'block-start'] as const) {
    if (own.has(other)) throw new UsageError(`--to-monerod and --${other} exclude each other`);
  }
  const target = required(own, 'to-monerod');
  const { network } = settings;
  return {
    settings,
    run: ({ chain, log, signal }) =>
      exportToMonerod(chain.blockchain, target, {
        network,
        blockStop,
        signal,
        onProgress: (line) => log.info(line),
        // Without the time and the level of a line of the log.
        print: (line) => process.stdout.write(`${line}\n`),
      }),
  };
}

async function exportFile(
  path: string,
  heights: { readonly blockStart: number; readonly blockStop: number | undefined },
  { chain, log, signal }: ExportTask,
): Promise<void> {
  const count = await exportBlocks(chain.blockchain, path, {
    ...heights,
    signal,
    onProgress: ({ height, last }) => log.info(`block ${height} of ${last}`),
  });
  log.info(`${count} blocks written`);
}
