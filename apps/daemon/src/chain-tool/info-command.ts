import { join } from 'node:path';
import { toHex } from '@monero-node/codec';
import { CHAIN_DIR } from '@monero-node/node';
import { readStoreFacts } from '@monero-node/storage';
import { UsageError } from '../cli/usage-error.ts';
import { mebibytes } from './step-progress.ts';
import type { StoreTask } from './store-task.ts';

/** Prints the figures of a chain at rest, as lines or as JSON. Throws UsageError and StorageError. */
export async function infoCommand({ settings, own, words, print }: StoreTask): Promise<void> {
  if (words.length > 0) throw new UsageError(`unexpected '${words.join(' ')}'`);
  const facts = await readStoreFacts(join(settings.dataDir, CHAIN_DIR));
  const { top, pages, ...rest } = facts;
  const figures = {
    network: settings.network.name,
    ...rest,
    topId: top === undefined ? '' : toHex(top.id),
    topTime: top?.timestamp ?? 0,
    cumulativeDifficulty: String(top?.cumulativeDifficulty ?? 0n),
    transactions: top?.cumulativeTxCount ?? 0,
    pageSize: pages.pageBytes,
    usedPages: pages.used,
    freePages: pages.free,
    mapSize: pages.mapBytes,
  };
  if (own.has('json')) {
    print(JSON.stringify(figures));
    return;
  }
  const { pruningSeed } = figures;
  const pruned =
    pruningSeed === 0
      ? 'no'
      : `seed ${pruningSeed}; the newest 5,500 blocks and a stripe are whole`;
  const share = (count: number) => `${count} (${mebibytes(count * pages.pageBytes)} MiB)`;
  const lines: readonly (readonly [string, string | number])[] = [
    ['network', figures.network],
    ['height', figures.height],
    ['top block', figures.topId],
    ['time of it', new Date(1000 * figures.topTime).toISOString()],
    ['cumulative difficulty', figures.cumulativeDifficulty],
    ['transactions', `${figures.transactions} besides coinbases`],
    ['outputs', figures.outputs],
    ['key images', figures.keyImages],
    ['pruned', pruned],
    ['alternative blocks', figures.alternativeBlocks],
    ['pool', `${figures.poolTransactions} transactions`],
    ['schema version', figures.schemaVersion],
    ['file', `${mebibytes(figures.fileSize)} MiB`],
    ['used pages', share(pages.used)],
    ['free pages', share(pages.free)],
    ['map', `${mebibytes(pages.mapBytes)} MiB`],
  ];
  for (const [name, value] of lines) print(`${`${name}:`.padEnd(23)}${value}`);
}
