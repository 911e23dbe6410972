import { EventEmitter, setMaxListeners } from 'node:events';
import type { Logger } from '@monero-node/base';
import type { ChainForP2p } from './chain.ts';
import { formatAddress, isHidden, isHiddenZone, zoneOf } from './net/address.ts';
import type { NetAddress } from './net/address.ts';
import { parseSubnet } from './net/ipv4-subnet.ts';
import { TokenBucket } from './net/token-bucket.ts';
import { libp2pTransport } from './libp2p/build.ts';
import type { Libp2pTransport } from './libp2p/transport.ts';
import { AddressBook } from './peers/address-book.ts';
import { BanList, parseBanLines } from './peers/bans.ts';
import { connectionInfo, peerEntry } from './peers/describe.ts';
import { Handshake } from './peers/handshake.ts';
import { blocklistNames, resolverFor } from './peers/names.ts';
import { Links } from './peers/links.ts';
import { Listeners } from './peers/listeners.ts';
import { PeerFile } from './peers/peer-file.ts';
import { shuffle } from './peers/peer-list.ts';
import type { KnownPeer } from './peers/peer-list.ts';
import { PeerSet } from './peers/peer-set.ts';
import type { Peer } from './peers/peer.ts';
import { BLOCKLIST_PERIOD_MS, DnsBlocklist, systemTxtResolver } from './peers/dns-blocklist.ts';
import type { TxtResolver } from './peers/dns-blocklist.ts';
import type { Resolver } from './peers/seeds.ts';
import { MessageRouter } from './peers/message-router.ts';
import { Periodic } from './periodic.ts';
import { BlockRelay } from './relay/blocks.ts';
import { secureRandom } from './relay/random.ts';
import { TransactionRelay } from './relay/transactions.ts';
import type { RelayBatch, TxRelay } from './relay/tx-relay.ts';
import { Settings } from './settings.ts';
import { ChainSync } from './sync/chain-sync.ts';
import { createTcpTransport } from './transport/tcp.ts';
import type { Transport, TransportStream } from './transport/transport.ts';
import type {
  BanEntry,
  ConnectionInfo,
  NetStats,
  P2pEvents,
  P2pNodeInfo,
  P2pOptions,
  PeerEntry,
  RateLimits,
  SyncInfo,
} from './types.ts';
import { AnonymityRelay } from './zones/anonymity-relay.ts';
import { buildZones } from './zones/build-zones.ts';
import { Outgoing } from './zones/outgoing.ts';
import type { Zones } from './zones/zones.ts';

const TIMED_SYNC_MS = 60_000;
const HOUSEKEEPING_MS = 60_000;
const SAVE_MS = 1_800_000;
const RESOLVE_MS = 60_000;
const INCOMING_CHECK_MS = 3_600_000;

export interface P2pDependencies {
  blockchain: ChainForP2p;
  logger: Logger;
  /** TCP by default. */
  transport?: Transport;
  /** The transaction pool, once there is one. */
  txRelay?: TxRelay;
  /** Looks up host names; the system's resolver by default. */
  resolver?: Resolver;
  /** Looks up TXT records, for the ban lists in the DNS; the system's resolver by default. */
  txtResolver?: TxtResolver;
  /** Milliseconds since 1970; the system clock by default. */
  now?: () => number;
  /** In [0, 1); for choosing among peers. */
  random?: () => number;
  /** In [0, 1); for what peers must not guess; from the system's generator by default. */
  secureRandom?: () => number;
}

/** The node's part in the peer-to-peer network: connections, synchronisation and relay. */
export class P2pNode extends EventEmitter<P2pEvents> implements P2pNodeInfo {
  readonly #options: P2pOptions;
  readonly #chain: ChainForP2p;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #settings: Settings;
  readonly #limiters: { up: TokenBucket; down: TokenBucket };
  readonly #bans: BanList;
  readonly #zones: Zones;
  readonly #peers: PeerSet;
  readonly #sync: ChainSync;
  readonly #blocks: BlockRelay;
  readonly #transactions: TransactionRelay;
  readonly #handshake: Handshake;
  readonly #links: Links;
  readonly #outgoing: Outgoing;
  readonly #anonymity: AnonymityRelay;
  readonly #txRelay: TxRelay | undefined;
  readonly #file: PeerFile;
  readonly #book: AddressBook;
  readonly #blocklist: DnsBlocklist;
  readonly #listeners: Listeners;
  readonly #libp2p: Libp2pTransport | undefined;
  readonly #tasks: Periodic[];
  readonly #stopping = new AbortController();
  readonly #onVerifying = (begins: boolean): void => void this.emit('verifying', begins);

  constructor(options: P2pOptions, deps: P2pDependencies) {
    super();
    const { blockchain: chain, logger } = deps;
    setMaxListeners(0, this.#stopping.signal); // one for each connection being made
    this.#options = options;
    this.#chain = chain;
    this.#logger = logger;
    const transport = deps.transport ?? createTcpTransport();
    this.#now = deps.now ?? Date.now;
    this.#random = deps.random ?? Math.random;
    this.#settings = new Settings(options);
    this.#limiters = this.#newLimiters();
    this.#bans = new BanList(this.#now);
    const libp2p = libp2pTransport(options, { chain, logger, bans: this.#bans });
    this.#listeners = new Listeners(options, { transport, libp2p, logger });
    this.#libp2p = libp2p;
    this.#zones = buildZones({
      ...{ options, chain, transport, libp2p, settings: this.#settings, random: this.#random },
      announcedPort: () => this.#announcedPort(),
    });
    this.#peers = new PeerSet({ bans: this.#bans, list: this.#zones.public.list, logger });
    this.#file = new PeerFile(options.dataDir);
    this.#txRelay = deps.txRelay;
    const peers = this.#peers;
    const zones = this.#zones;
    this.#sync = this.#newSync();
    const shared = { chain, peers, sync: this.#sync, logger, txRelay: deps.txRelay };
    this.#blocks = new BlockRelay({ ...shared, onVerifying: this.#onVerifying });
    this.#transactions = new TransactionRelay({
      ...shared,
      pad: options.padTransactions === true,
      now: this.#now,
      random: deps.secureRandom ?? secureRandom,
    });
    this.#handshake = this.#newHandshake();
    const router = new MessageRouter({
      ...shared,
      zones,
      handshake: this.#handshake,
      blocks: this.#blocks,
      transactions: this.#transactions,
      onClosed: (peer, reason) => this.#closed(peer, reason),
    });
    this.#links = new Links({
      peers,
      bans: this.#bans,
      limiters: this.#limiters,
      logger,
      now: this.#now,
      zones,
      maxConnectionsPerIp: options.maxConnectionsPerIp,
      handlerFor: (peer) => router.handlerFor(peer),
    });
    this.#book = new AddressBook(options, {
      ...{ logger, network: chain.network },
      resolver: resolverFor(options, deps.resolver),
    });
    this.#outgoing = new Outgoing({
      ...{ zones, peers, logger, bans: this.#bans, links: this.#links, book: this.#book },
      handshake: this.#handshake,
      limiters: this.#limiters,
      useIpv6: options.useIpv6 ?? false,
      stripe: () => this.#sync.stripes.wanted(),
      signal: this.#stopping.signal,
      now: this.#now,
      random: this.#random,
    });
    this.#anonymity = new AnonymityRelay(
      [...zones].filter(({ zone }) => isHiddenZone(zone)),
      {
        ...{ peers, logger, now: this.#now, random: deps.random ?? secureRandom },
        padTransactions: options.padTransactions ?? false,
        height: () => chain.height,
      },
    );
    this.#blocklist = new DnsBlocklist({
      ...{ peers, logger, bans: this.#bans },
      names: blocklistNames(options, chain.network),
      resolver: deps.txtResolver ?? systemTxtResolver,
    });
    this.#tasks = [
      new Periodic(TIMED_SYNC_MS, () => this.#timedSync()),
      new Periodic(HOUSEKEEPING_MS, () => this.#checkGrayPeers()),
      new Periodic(SAVE_MS, () => this.#save()),
      new Periodic(BLOCKLIST_PERIOD_MS, () => this.#blocklist.update()),
      new Periodic(INCOMING_CHECK_MS, () => this.#checkIncoming()),
      new Periodic(RESOLVE_MS, () => this.#book.resolve()),
    ];
  }

  #newLimiters(): { up: TokenBucket; down: TokenBucket } {
    const { up, down } = this.#settings.rate;
    return {
      up: new TokenBucket(up * 1024, this.#now),
      down: new TokenBucket(down * 1024, this.#now),
    };
  }

  #newSync(): ChainSync {
    const { blockDownloadMaxSize, blockSyncSize, noSync, offline, syncPrunedBlocks } =
      this.#options;
    return new ChainSync(
      {
        noSync,
        offline,
        blockSyncSize,
        ...(syncPrunedBlocks === undefined ? {} : { syncPrunedBlocks }),
        blockDownloadMaxSize,
        outPeers: () => this.outPeers,
        now: this.#now,
      },
      { chain: this.#chain, peers: this.#peers, logger: this.#logger },
      {
        onSynchronized: () => {
          this.#logger.info('synchronized with the network');
          this.#transactions.askForPool();
          this.emit('synchronized');
        },
        onVerifying: this.#onVerifying,
        onCaughtUp: () => this.#blocks.announceTop(),
        onProgress: (progress) => this.emit('progress', progress),
      },
    );
  }

  #newHandshake(): Handshake {
    return new Handshake({
      chain: this.#chain,
      zones: this.#zones,
      peers: this.#peers,
      sync: this.#sync,
      logger: this.#logger,
      isWelcome: ({ address }) =>
        this.#bans.secondsLeft(address.host) === undefined && !this.#outgoing.failedLately(address),
      backPing: (peer, port) => void this.#outgoing.backPing(peer, port),
      onIntroduced: (peer) => this.#anonymity.peersChanged(peer),
      seconds: () => this.#seconds(),
      random: this.#random,
    });
  }

  /**
   * Listens and begins to connect.
   * Rejects when the address cannot be listened on; nothing is left running then.
   */
  async start(): Promise<void> {
    this.#banListed();
    if (this.#options.offline) return;
    await this.#loadPeers();
    await this.#listeners.open((stream) => this.#accept(stream));
    this.#sync.start();
    this.#anonymity.start();
    this.#transactions.start();
    for (const task of this.#tasks) task.start();
    void this.#blocklist.update();
    await this.#book.resolve();
    for (const address of this.#book.added.addresses)
      this.#zones.of(address)?.list.addWhite(newPeer(address, this.#seconds()), false);
    if (!this.#stopping.signal.aborted) this.#outgoing.start();
  }

  /** Closes everything and saves the peer lists. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#outgoing.stop();
    this.#anonymity.stop();
    for (const task of this.#tasks) task.stop();
    this.#sync.stop();
    this.#transactions.stop();
    const closed = this.#listeners.close();
    for (const peer of [...this.#peers]) peer.connection.close('stopping');
    await closed;
    if (!this.#options.offline) await this.#save();
  }

  get listenPort(): number {
    return this.#listeners.port;
  }

  /** Multiaddresses that this node is reached at over libp2p. */
  get libp2pAddresses(): string[] {
    return this.#libp2p?.addresses ?? [];
  }

  get targetHeight(): number {
    return this.synchronized ? 0 : this.#sync.target;
  }

  get synchronized(): boolean {
    return this.#sync.synchronized;
  }

  get incomingCount(): number {
    return this.#peers.count((peer) => peer.incoming && !isHidden(peer.address));
  }

  get outgoingCount(): number {
    return this.#peers.count((peer) => !peer.incoming && !isHidden(peer.address));
  }

  get whiteCount(): number {
    return this.#zones.public.list.whiteCount;
  }

  get grayCount(): number {
    return this.#zones.public.list.grayCount;
  }

  get netStats(): NetStats {
    return { ...this.#links.stats };
  }

  get limits(): RateLimits {
    return this.#settings.rate;
  }

  get outPeers(): number {
    return this.#settings.outPeers;
  }

  get inPeers(): number {
    return this.#settings.inPeers;
  }

  setLimits(limits: Partial<RateLimits>): void {
    this.#settings.setRate(limits);
    const { up, down } = this.#settings.rate;
    this.#limiters.up.setRate(up * 1024);
    this.#limiters.down.setRate(down * 1024);
  }

  setOutPeers(count: number): void {
    this.#settings.outPeers = count;
    this.#closeSurplus((peer) => !peer.incoming, this.outPeers);
  }

  setInPeers(count: number): void {
    this.#settings.inPeers = count;
    this.#closeSurplus((peer) => peer.incoming, this.inPeers);
  }

  #closeSurplus(concerns: (peer: Peer) => boolean, limit: number): void {
    for (const zone of ['public', 'libp2p']) {
      const peers = this.#peers.filter((peer) => concerns(peer) && zoneOf(peer.address) === zone);
      shuffle(peers, this.#random);
      for (const peer of peers.slice(limit)) this.#peers.drop(peer, 'fewer peers are wanted');
    }
  }

  connections(): ConnectionInfo[] {
    const now = this.#now();
    return [...this.#peers].map((peer) => connectionInfo(peer, now));
  }

  syncInfo(): SyncInfo {
    const { queue, stripes } = this.#sync;
    return {
      height: this.#chain.height,
      targetHeight: this.targetHeight,
      nextNeededPruningStripe: stripes.wanted(),
      overview: queue.overview(this.#chain.height),
      peers: this.connections(),
      spans: queue.spans.map((span) => ({
        startBlockHeight: span.start,
        nblocks: span.ids.length,
        connectionId: span.owner,
        rate: Math.round(span.rate),
        speed: Math.round(100 * queue.relativeSpeed(span.owner)),
        size: span.size,
        remoteAddress: formatAddress(span.address),
      })),
    };
  }

  peerLists(): { white: PeerEntry[]; gray: PeerEntry[] } {
    const { list } = this.#zones.public;
    return { white: list.white().map(peerEntry), gray: list.gray().map(peerEntry) };
  }

  bans(): BanEntry[] {
    return this.#bans.list();
  }

  banned(host: string): number | undefined {
    return this.#bans.secondsLeft(host);
  }

  ban(host: string, seconds: number): boolean {
    return host.includes('/')
      ? this.#peers.banSubnet(host, seconds)
      : this.#peers.banHost(host, seconds);
  }

  unban(host: string): boolean {
    return host.includes('/') ? this.#bans.unbanSubnet(host) : this.#bans.unbanHost(host);
  }

  relayBlock(height: number): void {
    this.#blocks.announce(height);
  }

  /** Sends transactions of the pool to peers, by the rules of how they came to be there. */
  relayTransactions(batch: RelayBatch): void {
    const { from, method, transactions } = batch;
    if (method !== 'local' || from !== undefined || !this.#anonymity.enabled) {
      this.#transactions.relay(batch);
      return;
    }
    // Nobody on the public network is to learn that this node is where they come from.
    const ids = transactions.map(({ id }) => id);
    if (this.#anonymity.send(transactions.map(({ blob }) => blob)))
      this.#txRelay?.markRelayed(ids, 'local');
  }

  /** Sends transactions over one connection, if it is still there. */
  sendTransactions(connectionId: string, txs: readonly Uint8Array[], fluff: boolean): void {
    const peer = this.#peers.get(connectionId);
    if (peer?.handshaked) this.#transactions.send(peer, txs, fluff);
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  #announcedPort(): number {
    const { port } = this.#listeners;
    return this.#options.hideMyPort || port === 0 ? 0 : this.#options.externalPort || port;
  }

  #banListed(): void {
    for (const entry of parseBanLines(this.#options.banList ?? [])) {
      const banned = parseSubnet(entry)
        ? this.#bans.banSubnet(entry, Infinity)
        : this.#bans.banHost(entry, Infinity);
      if (!banned) this.#logger.warn(`ban list: ${entry} is neither an address nor a subnet`);
    }
  }

  async #loadPeers(): Promise<void> {
    try {
      const saved = await this.#file.load();
      if (saved) this.#zones.restore(saved);
    } catch (error) {
      this.#logger.warn(`starting without known peers: ${String(error)}`);
    }
  }

  async #save(): Promise<void> {
    try {
      await this.#file.save(this.#zones.snapshot());
    } catch (error) {
      this.#logger.warn(`the peer lists were not saved: ${String(error)}`);
    }
  }

  #accept(stream: TransportStream): void {
    if (this.#stopping.signal.aborted) stream.destroy();
    else this.#links.accept(stream);
  }

  #closed(peer: Peer, reason: string): void {
    this.#peers.delete(peer);
    this.#logger.debug(`${peer} closed: ${reason}`);
    if (!peer.incoming && !this.#stopping.signal.aborted)
      this.#zones.ofPeer(peer).list.removeAnchor(peer.address);
    this.#anonymity.peersChanged(peer);
    this.#sync.onPeerClosed(peer);
    this.#transactions.closed(peer);
  }

  #timedSync(): void {
    for (const peer of this.#peers) void this.#handshake.timedSync(peer);
  }

  /** Tells the user when nobody connects to us, which helps neither us nor the network. */
  #checkIncoming(): void {
    if (this.incomingCount > 0) return;
    if (this.#options.hideMyPort || this.#options.proxy || this.inPeers === 0)
      this.#logger.info('incoming connections are disabled; the network is better off with them');
    else
      this.#logger.warn(
        `no incoming connections: do firewalls let port ${this.listenPort} through?`,
      );
  }

  /** Finds out whether gray peers answer; while synchronizing, public ones are left for that. */
  async #checkGrayPeers(): Promise<void> {
    const syncing = this.#sync.target > this.#chain.height && this.outgoingCount < this.outPeers;
    await this.#outgoing.checkGrayPeers((zone) => syncing && zone === this.#zones.public);
  }
}

function newPeer(address: NetAddress, lastSeen: number): KnownPeer {
  return { address, id: 0n, lastSeen, pruningSeed: 0, rpcPort: 0, rpcCreditsPerHash: 0 };
}
