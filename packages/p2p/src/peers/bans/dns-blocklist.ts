import { resolveTxt } from 'node:dns/promises';
import type { Logger } from '@monero-node/base';
import type { BanTarget } from '../../net/ban-target.ts';
import { droppedText, parseBanLines } from './ban-lines.ts';
import type { BanList } from './bans.ts';

/** Milliseconds between two queries of the lists, and seconds for which their entries are banned. */
export const BLOCKLIST_PERIOD_MS = 7_000_000;
const LIFETIME = 8 * 86_400;
/** Most entries used of one answer; real lists have a few thousand at most. */
const MAX_ENTRIES = 20_000;

/** Returns all TXT records of a name, each joined into one string. Rejects when there are none. */
export type TxtResolver = (name: string) => Promise<string[]>;

/** Whoever carries bans out: who is banned loses its links and its place in the peer list. */
interface Banning {
  ban(targets: readonly BanTarget[], seconds: number): void;
}

/** The system's resolver. */
export const systemTxtResolver: TxtResolver = async (name) =>
  (await resolveTxt(name)).map((chunks) => chunks.join(''));

/**
 * Bans the addresses of the network's ban lists in the DNS. A list counts only when more than half of the names have the
 * same records. Node.js does not check DNSSEC signatures, so this majority is the only protection.
 * Source: update_dns_blocklist in src/p2p/net_node.inl
 */
export class DnsBlocklist {
  readonly #names: readonly string[];
  readonly #resolver: TxtResolver;
  readonly #bans: BanList;
  readonly #peers: Banning;
  readonly #logger: Logger;

  constructor(deps: {
    names: readonly string[];
    resolver: TxtResolver;
    bans: BanList;
    peers: Banning;
    logger: Logger;
  }) {
    this.#names = deps.names;
    this.#resolver = deps.resolver;
    this.#bans = deps.bans;
    this.#peers = deps.peers;
    this.#logger = deps.logger;
  }

  /** Queries the lists once. Never rejects. */
  async update(): Promise<void> {
    const records = await this.#agreedRecords();
    const entries = records.flatMap((record) => record.split(';')).slice(0, MAX_ENTRIES);
    const { targets, dropped } = parseBanLines(entries);
    const wanted = targets.filter((target) => (this.#bans.left(target) ?? 0) <= LIFETIME);
    this.#peers.ban(wanted, LIFETIME);
    if (targets.length > 0)
      this.#logger.info(`banned ${targets.length} hosts and subnets of the DNS ban list`);
    if (dropped.count > 0) this.#logger.warn(`DNS ban list: ${droppedText(dropped)}`);
  }

  /** Returns the records that more than half of the names have, or an empty list. */
  async #agreedRecords(): Promise<readonly string[]> {
    const answers = await Promise.all(
      this.#names.map((name) => this.#resolver(name).catch(() => [])),
    );
    const votes = new Map<string, { records: string[]; count: number }>();
    for (const answer of answers) {
      const records = [...new Set(answer)].sort();
      const key = JSON.stringify(records);
      votes.set(key, { records, count: (votes.get(key)?.count ?? 0) + 1 });
    }
    for (const { records, count } of votes.values())
      if (records.length > 0 && count > this.#names.length / 2) return records;
    if (this.#names.length > 0) this.#logger.warn('DNS ban list: no majority of records');
    return [];
  }
}
