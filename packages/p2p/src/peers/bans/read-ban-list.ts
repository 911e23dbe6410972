import { inSlices, Yielder } from '@monero-node/base';
import type { Logger } from '@monero-node/base';
import { BanLineReader, droppedText } from './ban-lines.ts';
import type { BanListAuthor, DroppedLines } from './ban-lines.ts';
import type { BanList } from './bans.ts';
import { ListedBans } from './listed-bans.ts';

/** Longest stretch of reading, milliseconds. A list is long, is read without being waited for, and leaves garbage behind. */
const SLICE_MS = 2;

/** What a ban list names. */
export interface ReadBanList {
  readonly listed: ListedBans;
  /** Lines that name a host or subnet. */
  readonly count: number;
  readonly dropped: DroppedLines;
}

/** Reads a ban list as `parseBanLines` does, in slices: the event loop gets its turns in between. */
export async function readBanList(
  lines: Iterable<string>,
  author?: BanListAuthor,
): Promise<ReadBanList> {
  return await inSlices(readSteps(lines, author), new Yielder({ sliceMs: SLICE_MS }));
}

function* readSteps(
  lines: Iterable<string>,
  author: BanListAuthor | undefined,
): Generator<undefined, ReadBanList> {
  const reader = new BanLineReader(author);
  const listed = new ListedBans();
  let count = 0;
  for (const line of lines) {
    const target = reader.read(line);
    if (target !== undefined) {
      listed.add(target);
      count++;
    }
    yield;
  }
  return { listed, count, dropped: reader.dropped };
}

/** Bans the entries of a ban list file for ever. Logs the dropped ones in one line. */
export async function banListed(
  bans: BanList,
  lines: readonly string[],
  logger: Logger,
): Promise<void> {
  const { listed, count, dropped } = await readBanList(lines);
  bans.replaceListed(listed);
  if (count > 0) logger.info(`ban list: ${count} hosts and subnets are banned`);
  if (dropped.count > 0) logger.warn(`ban list: ${droppedText(dropped)}`);
}
