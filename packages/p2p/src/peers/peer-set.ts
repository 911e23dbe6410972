import { inSlices, Yielder } from '@monero-node/base';
import type { Logger } from '@monero-node/base';
import { isHidden } from '../net/address.ts';
import { privateRange } from '../net/ip-address.ts';
import type { NetAddress } from '../net/address.ts';
import { parseBanTarget, targetMatches } from '../net/ban-target.ts';
import type { BanTarget } from '../net/ban-target.ts';
import { BAN_SECONDS } from './bans/bans.ts';
import type { BanList } from './bans/bans.ts';
import type { PeerList } from './list/peer-list.ts';
import type { Peer } from './peer.ts';

/** The open connections, and the ways to end them. */
export class PeerSet {
  readonly #peers = new Map<string, Peer>();
  readonly #bans: BanList;
  readonly #list: PeerList;
  readonly #logger: Logger;

  constructor(deps: { bans: BanList; list: PeerList; logger: Logger }) {
    this.#bans = deps.bans;
    this.#list = deps.list;
    this.#logger = deps.logger;
  }

  [Symbol.iterator](): IterableIterator<Peer> {
    return this.#peers.values();
  }

  get size(): number {
    return this.#peers.size;
  }

  add(peer: Peer): void {
    this.#peers.set(peer.id, peer);
  }

  delete(peer: Peer): void {
    this.#peers.delete(peer.id);
  }

  get(id: string): Peer | undefined {
    return this.#peers.get(id);
  }

  filter(condition: (peer: Peer) => boolean): Peer[] {
    return [...this.#peers.values()].filter(condition);
  }

  count(condition: (peer: Peer) => boolean): number {
    return this.filter(condition).length;
  }

  /** Closes a link and adds `penalty` points to its host. */
  drop(peer: Peer, reason: string, penalty = 0): void {
    this.#logger.info(`dropping ${peer}: ${reason}${penalty ? ` (${penalty} points)` : ''}`);
    if (penalty > 0) this.charge(peer.address, penalty);
    // A new id costs nothing but a new IP address does, so both get points; a proxy on this machine gets none.
    if (penalty > 0 && peer.via && privateRange(peer.via) !== 'loopback')
      this.charge(peer.via, penalty);
    peer.connection.close(reason);
  }

  /**
   * Adds points to a host and bans it when they become too many. Hidden services are not banned: new names cost nothing,
   * and all peers that connect through our own look the same.
   */
  charge(address: NetAddress, penalty: number): void {
    if (isHidden(address)) return;
    if (!this.#bans.addFailure(address.host, penalty)) return;
    this.#logger.warn(`banning ${address.host} for ${BAN_SECONDS} seconds`);
    const target = parseBanTarget(address.host);
    if (target) this.ban([target], BAN_SECONDS);
  }

  /** Bans hosts and subnets, closes their links and removes them from the lists, which are looked through once. */
  ban(targets: readonly BanTarget[], seconds: number): void {
    for (const target of targets) this.#bans.ban(target, seconds);
    const [only, ...others] = targets;
    if (only === undefined) return;
    this.#forget((address) =>
      others.length === 0
        ? targetMatches(only, address)
        : this.#bans.secondsLeft(address.host) !== undefined,
    );
  }

  /**
   * Closes the links of hosts that are banned by now, and removes these from the lists. A list may hold thousands of peers: they are
   * looked up in slices.
   */
  async forgetBanned(): Promise<void> {
    const banned = await inSlices(this.#bannedHosts(), new Yielder());
    const isBanned = ({ host }: NetAddress): boolean => this.#bans.secondsLeft(host) !== undefined;
    this.#list.removeMatching(({ host }) => banned.has(host));
    this.#closeLinks(isBanned);
  }

  /** Returns the banned hosts of the lists. */
  *#bannedHosts(): Generator<undefined, Set<string>> {
    const banned = new Set<string>();
    for (const { host } of this.#list.addresses()) {
      if (this.#bans.secondsLeft(host) !== undefined) banned.add(host);
      yield;
    }
    return banned;
  }

  sameHost(address: NetAddress): Peer[] {
    return this.filter((peer) => peer.address.host === address.host);
  }

  #forget(matches: (address: NetAddress) => boolean): void {
    this.#list.removeMatching(matches);
    this.#closeLinks(matches);
  }

  #closeLinks(matches: (address: NetAddress) => boolean): void {
    for (const peer of this.filter(
      ({ address, via }) => matches(address) || (via !== undefined && matches(via)),
    ))
      peer.connection.close('the host was banned');
  }
}
