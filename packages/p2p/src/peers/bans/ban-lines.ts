import type { Logger } from '@monero-node/base';
import { parseBanTarget } from '../../net/ban-target.ts';
import type { BanTarget } from '../../net/ban-target.ts';
import type { BanList } from './bans.ts';

/** Lines that name nothing: how many, and the first of them. */
export interface DroppedLines {
  readonly count: number;
  readonly first: readonly { readonly line: number; readonly text: string }[];
}

/** Most lines shown of those that name nothing, and most characters of each. */
const SHOWN = 3;
const SHOWN_LENGTH = 60;

/** Reads a ban list: a host or subnet per line, `#` starts a comment. */
export function parseBanLines(lines: readonly string[]): {
  readonly targets: BanTarget[];
  readonly dropped: DroppedLines;
} {
  const targets: BanTarget[] = [];
  const first: { line: number; text: string }[] = [];
  let count = 0;
  for (const [i, line] of lines.entries()) {
    const text = (line.split('#', 1)[0] ?? '').trim();
    if (text === '') continue;
    const target = parseBanTarget(text);
    if (target !== undefined) {
      targets.push(target);
      continue;
    }
    count++;
    if (first.length < SHOWN) first.push({ line: i + 1, text: text.slice(0, SHOWN_LENGTH) });
  }
  return { targets, dropped: { count, first } };
}

/** Returns the sentence about lines that name nothing, with the first of them. */
export function droppedText({ count, first }: DroppedLines): string {
  const shown = first.map(({ line, text }) => `${JSON.stringify(text)} (line ${line})`).join(', ');
  const more = count > first.length ? ', \u2026' : '';
  const are = count === 1 ? '1 entry is' : `${count} entries are`;
  return `${are} neither a host nor a subnet and not banned: ${shown}${more}`;
}

/** Bans the entries of a ban list file for ever. Logs the dropped ones in one line. */
export function banListed(bans: BanList, lines: readonly string[], logger: Logger): void {
  const { targets, dropped } = parseBanLines(lines);
  for (const target of targets) bans.ban(target, Infinity);
  if (targets.length > 0) logger.info(`ban list: ${targets.length} hosts and subnets are banned`);
  if (dropped.count > 0) logger.warn(`ban list: ${droppedText(dropped)}`);
}
