import type { Logger } from '@monero-node/base';
import { parseSubnet } from '../net/ipv4-subnet.ts';
import type { BanList } from './bans.ts';

/** Returns the entries of a ban list file: one IP or subnet per line, `#` starts a comment. */
export function parseBanLines(lines: readonly string[]): string[] {
  return lines.map((line) => (line.split('#')[0] ?? '').trim()).filter((line) => line !== '');
}

/** Bans the entries of a ban list file for ever, and warns about entries that are not addresses. */
export function banListed(bans: BanList, lines: readonly string[], logger: Logger): void {
  for (const entry of parseBanLines(lines)) {
    const banned = parseSubnet(entry)
      ? bans.banSubnet(entry, Infinity)
      : bans.banHost(entry, Infinity);
    if (!banned) logger.warn(`ban list: ${entry} is neither an address nor a subnet`);
  }
}
