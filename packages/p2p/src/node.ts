import { isHidden } from './net/address.ts';
import { parseBanTarget } from './net/ban-target.ts';
import type { BanTarget } from './net/ban-target.ts';
import type { HostPort } from './net/parse-address.ts';
import type { P2pEmitter } from './contract/p2p-events.ts';
import type { P2pNodeInfo } from './node-info.ts';
import type { RateLimits } from './options/adjustable-limits.ts';
import type { BanListAuthor, DroppedLines } from './peers/bans/ban-lines.ts';
import { banNotice, type BanEntry } from './peers/bans/bans.ts';
import { banListed, readBanList } from './peers/bans/read-ban-list.ts';
import type { ReadBanList } from './peers/bans/read-ban-list.ts';
import { peerEntry } from './peers/list/peer-entry.ts';
import type { PeerEntry } from './peers/list/peer-entry.ts';
import type { NamedPeers } from './peers/seeds/address-book.ts';
import type { RelayBatch } from './contract/pool-for-p2p.ts';
import type { ConnectionInfo } from './session/connection-info.ts';
import type { FixedPeerInfo } from './session/fixed-peers.ts';
import { reachability, type Reachability } from './session/reachability.ts';
import type { SyncInfo } from './session/reports.ts';
import type { NetStats } from './session/traffic.ts';

import type { P2pNodeParts } from './node-parts.ts';
/** The node's part in the peer-to-peer network: connections, synchronization and relay. */
export class P2pNode implements P2pNodeInfo {
  /** The events of synchronization and of new blocks. */
  readonly events: Pick<P2pEmitter, 'on' | 'once' | 'off'>;
  readonly #parts: P2pNodeParts;

  constructor(parts: P2pNodeParts) {
    this.events = parts.events;
    this.#parts = parts;
  }

  /**
   * Listens and begins to connect. Rejects when an address cannot be listened on; nothing is left running then.
   */
  async start(): Promise<void> {
    const { bans, listeners, links, logger, options, portMapping } = this.#parts;
    const { savedPeers, stopping } = this.#parts;
    if (options.banList !== undefined) await banListed(bans, options.banList, logger);
    if (options.offline) return;
    await savedPeers.load();
    await listeners.open((stream) => {
      if (stopping.signal.aborted) stream.destroy();
      else links.accept(stream);
    });
    await portMapping.start();
    const { anonymity, blocklist, book, outgoing, sync, tasks, transactions } = this.#parts;
    sync.start();
    anonymity.start();
    transactions.start();
    for (const task of tasks) task.start();
    void blocklist.update();
    await book.resolve();
    this.#listAddedPeers();
    if (!stopping.signal.aborted) outgoing.start();
  }

  /** Puts the peers that the user added on the white lists. */
  #listAddedPeers(): void {
    const { book, unixNow, zones } = this.#parts;
    const lastSeen = Math.floor(unixNow() / 1000);
    const unknown = { id: 0n, pruningSeed: 0, rpcPort: 0, rpcCreditsPerHash: 0 };
    for (const address of book.added.addresses)
      zones.of(address)?.list.addWhite({ ...unknown, address, lastSeen }, false);
  }

  /** Closes everything and saves the peer lists. */
  async stop(): Promise<void> {
    const { listeners, options, peers, savedPeers, stopping } = this.#parts;
    if (stopping.signal.aborted) return;
    stopping.abort();
    const { anonymity, outgoing, sync, tasks, transactions } = this.#parts;
    outgoing.stop();
    anonymity.stop();
    for (const task of tasks) task.stop();
    sync.stop();
    transactions.stop();
    const closed = Promise.all([listeners.close(), this.#parts.portMapping.stop()]);
    for (const peer of [...peers]) peer.connection.close('stopping');
    await closed;
    if (!options.offline) await savedPeers.save();
  }

  /** The same as {@link P2pNode.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  get listenPort(): number {
    return this.#parts.listeners.port;
  }

  /** Addresses listened on, without those of libp2p. */
  get listenAddresses(): readonly HostPort[] {
    return this.#parts.listeners.addresses;
  }

  /** Multiaddresses at which this node is reached over libp2p. */
  get libp2pAddresses(): string[] {
    return this.#parts.libp2p?.addresses ?? [];
  }

  get targetHeight(): number {
    return this.synchronized ? 0 : this.#parts.sync.target;
  }

  get synchronized(): boolean {
    const { sync } = this.#parts;
    return sync.synchronized && !sync.failing;
  }

  get incomingCount(): number {
    return this.#parts.peers.count((peer) => peer.incoming && !isHidden(peer.address));
  }

  get outgoingCount(): number {
    return this.#parts.peers.count((peer) => !peer.incoming && !isHidden(peer.address));
  }

  get whiteCount(): number {
    return this.#parts.zones.public.list.whiteCount;
  }

  get grayCount(): number {
    return this.#parts.zones.public.list.grayCount;
  }

  get netStats(): NetStats {
    return this.#parts.traffic.stats;
  }

  get limits(): RateLimits {
    return this.#parts.limits.rate;
  }

  get outPeers(): number {
    return this.#parts.limits.outPeers;
  }

  get inPeers(): number {
    return this.#parts.limits.inPeers;
  }

  setLimits(limits: Partial<RateLimits>): void {
    this.#parts.peerLimits.setRate(limits);
  }

  setOutPeers(count: number): void {
    this.#parts.peerLimits.setOutPeers(count);
  }

  setInPeers(count: number): void {
    this.#parts.peerLimits.setInPeers(count);
  }

  /** Most incoming connections of one address from now on; those that are open stay. */
  setMaxConnectionsPerIp(count: number): void {
    this.#parts.limits.maxConnectionsPerIp = count;
  }

  /**
   * Takes other peers in place of those that the options name. Where some are exclusive, the connections to all others are closed.
   * Resolves when the names have been looked up; never rejects.
   */
  async replacePeers(named: NamedPeers): Promise<void> {
    const { book, options, outgoing, stopping } = this.#parts;
    book.replace(named);
    if (options.offline) return;
    await book.resolve();
    if (stopping.signal.aborted) return;
    this.#listAddedPeers();
    outgoing.keepExclusive();
  }

  /**
   * Bans what the lines of a ban list name, in place of those of the list before, and lets go of the peers among them. Other bans
   * stay. Works in slices. Resolves, when it is done, with the numbers of hosts and subnets that were listed and are; to be called
   * again only then.
   *
   * Rejects with what `check` throws, and changes nothing then.
   *
   * @param author a stranger's list bans nothing of local networks; such lines are among the dropped ones
   */
  async replaceBanList(
    lines: Iterable<string>,
    check: (read: Pick<ReadBanList, 'count' | 'dropped'>) => void = () => undefined,
    author?: BanListAuthor,
  ): Promise<{ readonly before: number; readonly after: number; readonly dropped: DroppedLines }> {
    const { bans, peers } = this.#parts;
    const before = bans.listedSize;
    const read = await readBanList(lines, author);
    check(read);
    const { listed, dropped } = read;
    bans.replaceListed(listed);
    await peers.forgetBanned();
    return { before, after: listed.size, dropped };
  }

  connections(): ConnectionInfo[] {
    return this.#parts.reports.connections();
  }

  fixedPeers(): FixedPeerInfo[] {
    return this.#parts.fixedPeers.report();
  }

  reachability(): Reachability {
    return reachability(this.#parts);
  }

  syncInfo(): SyncInfo {
    return this.#parts.reports.syncInfo();
  }

  peerLists(): { white: PeerEntry[]; gray: PeerEntry[] } {
    const { list } = this.#parts.zones.public;
    return { white: list.white().map(peerEntry), gray: list.gray().map(peerEntry) };
  }

  bans(): BanEntry[] {
    return this.#parts.bans.list();
  }

  /** Number of bans that {@link P2pNode.bans} returns. */
  get banCount(): number {
    return this.#parts.bans.size;
  }

  banned(host: string): number | undefined {
    const target = parseBanTarget(host);
    return target?.kind === 'host' ? this.#parts.bans.secondsLeft(target.text) : undefined;
  }

  banNotice(host: string): string | undefined {
    const target = parseBanTarget(host);
    return target?.kind === 'host' ? banNotice(this.#parts.bans, target.text) : undefined;
  }

  banKind(text: string): BanTarget['kind'] | undefined {
    return parseBanTarget(text)?.kind;
  }

  ban(host: string, seconds: number): boolean {
    const target = parseBanTarget(host);
    if (target) this.#parts.peers.ban([target], seconds);
    return target !== undefined;
  }

  unban(host: string): boolean {
    const target = parseBanTarget(host);
    return target !== undefined && this.#parts.bans.unban(target);
  }

  relayBlock(height: number): void {
    this.#parts.blocks.announce(height);
  }

  /** Sends transactions of the pool to peers. How they got into the pool decides over which network and to whom. */
  relayTransactions(batch: RelayBatch): void {
    this.#parts.outbound.relay(batch);
  }
}
