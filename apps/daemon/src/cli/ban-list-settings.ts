import { readFileSync, statSync } from 'node:fs';
import type { P2pOptions } from '@monero-node/p2p';
import { droppedText, parseBanLines } from '@monero-node/p2p/settings';
import { MAX_BAN_LIST, type BanListUrl } from '../bans/ban-list-url.ts';
import type { OptionReader } from './given-options.ts';
import type { OptionName } from './options/options.ts';
import { UsageError } from './usage-error.ts';

const MINUTE = 60_000;
const URL_OPTIONS: readonly OptionName[] = ['ban-list-interval', 'ban-list-sha256'];

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** The list that was read last. A reload of a running node reads all settings again, and a list may have a million lines. */
let lastRead: { readonly state: string; readonly lines: readonly string[] } | undefined;
/** The warnings about lists that were looked through. */
const WARNINGS = new WeakMap<readonly string[], readonly string[]>();

/**
 * Returns the lines of a ban list; undefined without a file. Throws UsageError when it cannot be read or is too large.
 */
export function readBanList(values: OptionReader): readonly string[] | undefined {
  const path = values.get('ban-list');
  if (path === undefined || isUrl(path)) return undefined;
  try {
    const { size, ino, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    if (size > MAX_BAN_LIST) throw new Error(`more than ${MAX_BAN_LIST} bytes`);
    const state = [path, size, ino, mtimeNs, ctimeNs].join();
    if (lastRead?.state !== state)
      lastRead = { state, lines: readFileSync(path, 'utf8').split(/\r?\n/) };
    return lastRead.lines;
  } catch (error) {
    throw new UsageError(`Failed to read ban list ${path}: ${(error as Error).message}`);
  }
}

/** Returns where a ban list is downloaded from; undefined when it is not. Throws UsageError when an option of it is invalid. */
export function banListUrl(values: OptionReader): BanListUrl | undefined {
  const text = values.get('ban-list');
  const sha256 = values.get('ban-list-sha256')?.toLowerCase();
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256))
    throw new UsageError('--ban-list-sha256 must be 64 hex digits');
  if (text === undefined || !isUrl(text)) return undefined;
  if (!URL.canParse(text)) throw new UsageError(`--ban-list: ${text} is no URL`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      '--ban-list must not hold a login, which everybody on this machine could read',
    );
  url.hash = '';
  return { url, sha256, interval: values.get('ban-list-interval') * MINUTE };
}

/**
 * Returns a warning about the lines of a ban list that name nothing. The log of the network would not show it at the default
 * level.
 */
export function banListWarnings({ banList = [] }: Pick<P2pOptions, 'banList'>): readonly string[] {
  const known = WARNINGS.get(banList);
  if (known !== undefined) return known;
  const { dropped } = parseBanLines(banList);
  const warnings = dropped.count === 0 ? [] : [`--ban-list: ${droppedText(dropped)}`];
  WARNINGS.set(banList, warnings);
  return warnings;
}

/** Returns a sentence for each option of a ban list that has no effect. */
export function banListUrlWarnings(values: OptionReader): string[] {
  const hasUrl = isUrl(values.get('ban-list') ?? '');
  if (hasUrl)
    return values.get('offline') ? ['--ban-list: with --offline the list is not downloaded'] : [];
  return URL_OPTIONS.filter((name) => values.has(name)).map(
    (name) => `--${name} has no effect without --ban-list URL`,
  );
}
