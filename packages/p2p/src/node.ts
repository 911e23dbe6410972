import { EventEmitter, setMaxListeners } from 'node:events';
import type { Logger } from '@monero-node/blockchain';
import type { ChainForP2p } from './chain.ts';
import { formatAddress } from './net/address.ts';
import type { NetAddress } from './net/address.ts';
import { parseSubnet } from './net/ipv4-subnet.ts';
import { TokenBucket } from './net/token-bucket.ts';
import { AddressBook } from './peers/address-book.ts';
import { BanList, parseBanLines } from './peers/bans.ts';
import { ConnectionMaker } from './peers/connection-maker.ts';
import { connectionInfo, peerEntry } from './peers/describe.ts';
import { Dialler } from './peers/dialler.ts';
import { Handshake } from './peers/handshake.ts';
import { Identity } from './peers/identity.ts';
import { Links } from './peers/links.ts';
import { PeerFile } from './peers/peer-file.ts';
import { PeerList, shuffle } from './peers/peer-list.ts';
import type { KnownPeer } from './peers/peer-list.ts';
import { PeerSet } from './peers/peer-set.ts';
import type { Peer } from './peers/peer.ts';
import { systemResolver } from './peers/seeds.ts';
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
import type { Transport, TransportListener, TransportStream } from './transport/transport.ts';
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

const TIMED_SYNC_MS = 60_000;
const HOUSEKEEPING_MS = 60_000;
const SAVE_MS = 1_800_000;
const RESOLVE_MS = 60_000;

export interface P2pDependencies {
  blockchain: ChainForP2p;
  logger: Logger;
  /** TCP by default. */
  transport?: Transport;
  /** The transaction pool, once there is one. */
  txRelay?: TxRelay;
  /** Looks up host names; the system's resolver by default. */
  resolver?: Resolver;
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
  readonly #transport: Transport;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #settings: Settings;
  readonly #limiters: { up: TokenBucket; down: TokenBucket };
  readonly #bans: BanList;
  readonly #list: PeerList;
  readonly #peers: PeerSet;
  readonly #identity: Identity;
  readonly #sync: ChainSync;
  readonly #blocks: BlockRelay;
  readonly #transactions: TransactionRelay;
  readonly #handshake: Handshake;
  readonly #links: Links;
  readonly #maker: ConnectionMaker;
  readonly #file: PeerFile;
  readonly #book: AddressBook;
  readonly #dialler: Dialler;
  readonly #tasks: Periodic[];
  readonly #stopping = new AbortController();
  #listener: TransportListener | undefined;

  constructor(options: P2pOptions, deps: P2pDependencies) {
    super();
    const { blockchain: chain, logger } = deps;
    setMaxListeners(0, this.#stopping.signal); // one for each connection being made
    this.#options = options;
    this.#chain = chain;
    this.#logger = logger;
    this.#transport = deps.transport ?? createTcpTransport();
    this.#now = deps.now ?? Date.now;
    this.#random = deps.random ?? Math.random;
    this.#settings = new Settings(options);
    this.#limiters = this.#newLimiters();
    this.#bans = new BanList(this.#now);
    this.#list = new PeerList({ allowLocalIp: options.allowLocalIp, random: this.#random });
    this.#peers = new PeerSet({ bans: this.#bans, list: this.#list, logger });
    this.#file = new PeerFile(options.dataDir);
    this.#identity = new Identity({
      chain,
      rpcPort: options.rpcPort,
      announcedPort: () => this.#announcedPort(),
    });
    const peers = this.#peers;
    this.#sync = this.#newSync();
    const shared = { chain, peers, sync: this.#sync, logger, txRelay: deps.txRelay };
    this.#blocks = new BlockRelay(shared);
    this.#transactions = new TransactionRelay({
      ...shared,
      pad: options.padTransactions === true,
      now: this.#now,
      random: deps.secureRandom ?? secureRandom,
    });
    this.#handshake = this.#newHandshake();
    const router = new MessageRouter({
      ...shared,
      identity: this.#identity,
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
      inPeers: () => this.inPeers,
      maxConnectionsPerIp: options.maxConnectionsPerIp,
      handlerFor: (peer) => router.handlerFor(peer),
    });
    this.#book = new AddressBook(options, {
      network: chain.network,
      resolver: deps.resolver ?? systemResolver,
      logger,
    });
    this.#dialler = new Dialler({
      transport: this.#transport,
      links: this.#links,
      handshake: this.#handshake,
      list: this.#list,
      limiters: this.#limiters,
      logger,
      signal: this.#stopping.signal,
      now: this.#now,
    });
    this.#maker = this.#newMaker();
    this.#tasks = [
      new Periodic(TIMED_SYNC_MS, () => this.#timedSync()),
      new Periodic(HOUSEKEEPING_MS, () => this.#checkGrayPeer()),
      new Periodic(SAVE_MS, () => this.#save()),
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
    const { blockDownloadMaxSize, blockSyncSize, noSync, offline } = this.#options;
    return new ChainSync(
      {
        noSync,
        offline,
        blockSyncSize,
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
        onCaughtUp: () => this.#blocks.announceTop(),
        onProgress: (progress) => this.emit('progress', progress),
      },
    );
  }

  #newHandshake(): Handshake {
    return new Handshake({
      chain: this.#chain,
      identity: this.#identity,
      list: this.#list,
      peers: this.#peers,
      sync: this.#sync,
      logger: this.#logger,
      isWelcome: ({ address }) =>
        this.#bans.secondsLeft(address.host) === undefined && !this.#maker.failedLately(address),
      backPing: (peer, port) => void this.#dialler.backPing(peer, port),
      seconds: () => this.#seconds(),
    });
  }

  #newMaker(): ConnectionMaker {
    return new ConnectionMaker({
      peers: this.#peers,
      list: this.#list,
      bans: this.#bans,
      logger: this.#logger,
      ownId: this.#identity.peerId,
      outPeers: () => this.outPeers,
      stripe: () => this.#sync.stripes.wanted(),
      dial: (address, kind, anchor) => this.#dialler.dial(address, kind, anchor),
      visit: (address) => this.#dialler.visit(address),
      exclusive: () => this.#book.exclusive.addresses,
      onlyExclusive: this.#book.exclusive.given,
      priority: () => [...this.#book.priority.addresses, ...this.#unlistedPeers()],
      seeds: () => this.#book.seeds(this.#stopping.signal),
      now: this.#now,
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
    this.#listener = await this.#transport.listen(
      { host: this.#options.bindIp, port: this.#options.bindPort },
      (stream) => this.#accept(stream),
    );
    this.#logger.info(`listening on ${this.#options.bindIp}:${this.#listener.port}`);
    this.#sync.start();
    this.#transactions.start();
    for (const task of this.#tasks) task.start();
    await this.#book.resolve();
    for (const address of this.#book.added.addresses)
      this.#list.addWhite(newPeer(address, this.#seconds()), false);
    if (!this.#stopping.signal.aborted) this.#maker.start();
  }

  /** Closes everything and saves the peer lists. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#maker.stop();
    for (const task of this.#tasks) task.stop();
    this.#sync.stop();
    this.#transactions.stop();
    const closed = this.#listener?.close();
    for (const peer of [...this.#peers]) peer.connection.close('stopping');
    await closed;
    this.#listener = undefined;
    if (!this.#options.offline) await this.#save();
  }

  get listenPort(): number {
    return this.#listener?.port ?? 0;
  }

  get targetHeight(): number {
    return this.synchronized ? 0 : this.#sync.target;
  }

  get synchronized(): boolean {
    return this.#sync.synchronized;
  }

  get incomingCount(): number {
    return this.#peers.count((peer) => peer.incoming);
  }

  get outgoingCount(): number {
    return this.#peers.count((peer) => !peer.incoming);
  }

  get whiteCount(): number {
    return this.#list.whiteCount;
  }

  get grayCount(): number {
    return this.#list.grayCount;
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
    const peers = this.#peers.filter(concerns);
    shuffle(peers, this.#random);
    for (const peer of peers.slice(limit)) this.#peers.drop(peer, 'fewer peers are wanted');
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
    return { white: this.#list.white().map(peerEntry), gray: this.#list.gray().map(peerEntry) };
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
    this.#transactions.relay(batch);
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
    if (this.#options.hideMyPort || !this.#listener) return 0;
    return this.#options.externalPort || this.#listener.port;
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
      if (saved) this.#list.restore(saved);
    } catch (error) {
      this.#logger.warn(`starting without known peers: ${String(error)}`);
    }
  }

  async #save(): Promise<void> {
    try {
      await this.#file.save(this.#list.snapshot());
    } catch (error) {
      this.#logger.warn(`the peer lists were not saved: ${String(error)}`);
    }
  }

  /** Added peers that may not enter the lists, such as those on this machine. */
  #unlistedPeers(): readonly NetAddress[] {
    return this.#book.added.addresses.filter((address) => !this.#list.isAllowed(address));
  }

  #accept(stream: TransportStream): void {
    if (this.#stopping.signal.aborted) stream.destroy();
    else this.#links.accept(stream);
  }

  #closed(peer: Peer, reason: string): void {
    this.#peers.delete(peer);
    this.#logger.debug(`${peer} closed: ${reason}`);
    if (!peer.incoming && !this.#stopping.signal.aborted) this.#list.removeAnchor(peer.address);
    this.#sync.onPeerClosed(peer);
    this.#transactions.closed(peer);
  }

  #timedSync(): void {
    for (const peer of this.#peers) void this.#handshake.timedSync(peer);
  }

  /** Finds out whether one gray peer answers. */
  async #checkGrayPeer(): Promise<void> {
    const syncing = this.#sync.target > this.#chain.height && this.outgoingCount < this.outPeers;
    if (this.#book.exclusive.given || syncing) return;
    const peer = this.#list.randomGray();
    if (!peer || this.#isTaken(peer.address)) return;
    if (!(await this.#dialler.checkGray(peer))) this.#maker.noteFailure(peer.address);
  }

  #isTaken({ host }: NetAddress): boolean {
    return this.#peers.count((peer) => peer.address.host === host) > 0;
  }
}

function newPeer(address: NetAddress, lastSeen: number): KnownPeer {
  return { address, id: 0n, lastSeen, pruningSeed: 0, rpcPort: 0, rpcCreditsPerHash: 0 };
}
