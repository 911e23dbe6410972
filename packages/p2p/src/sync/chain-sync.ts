import type { Logger } from '@monero-node/base';
import { encodeMessage, fromHex } from '@monero-node/codec';
import type { MessageSchema } from '@monero-node/codec';
import type { ChainForP2p } from '../chain.ts';
import type { SyncData } from '../messages/admin.ts';
import { REQUEST_OBJECTS } from '../messages/blocks.ts';
import type { ResponseObjects } from '../messages/blocks.ts';
import { REQUEST_CHAIN } from '../messages/chain.ts';
import type { ResponseChain } from '../messages/chain.ts';
import { COMMANDS } from '../messages/commands.ts';
import { isHidden } from '../net/address.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { SyncProgress } from '../types.ts';
import { Violation } from '../violation.ts';
import { batchSize } from './batch-size.ts';
import { BlockFeeder } from './block-feeder.ts';
import { checkChainEntry } from './chain-entry.ts';
import { checkObjects } from './objects.ts';
import { blocksToTakePruned } from './may-be-pruned.ts';
import { planStep } from './plan.ts';
import type { PlanContext, Step } from './plan.ts';
import { BlockRate } from './progress.ts';
import { SpanQueue } from './span-queue.ts';
import { StripePolicy } from './stripe-policy.ts';
import { refuseSyncData } from './sync-data.ts';

/** Filled spans and bytes that may wait for verification; blocks needed next are always fetched. */
const MAX_FILLED_SPANS = 10;
const MAX_QUEUE_BYTES = 100 * 1024 * 1024;
/** Blocks that the size of a request is judged by. */
const WEIGHT_WINDOW = 100;
const TICK_MS = 1000;
/** Silence while an answer is due, and the most any answer may take, in milliseconds. */
const SILENT_MS = 20_000;
const ANSWER_MS = 240_000;
const IDLE_PENALTY = 5;
/** Milliseconds without a new block, while nobody has anything to download, that count as stuck. */
const STUCK_MS = 30_000;
const SEARCH_MS = 101_000;
/** Outgoing peers that should be looked for something newer once we are synchronized. */
const SEARCH_PEERS = 2;

export interface ChainSyncOptions {
  noSync: boolean;
  /** Nobody is to be waited for. */
  offline: boolean;
  /** Download pruned what this node, being pruned, would drop anyway. */
  syncPrunedBlocks?: boolean;
  /** Blocks per request; 0 is the default rule. */
  blockSyncSize: number;
  /** 0 is the default. */
  blockDownloadMaxSize: number;
  /** Wanted outgoing connections. */
  outPeers: () => number;
  /** Milliseconds. */
  now: () => number;
}

export interface ChainSyncHooks {
  onSynchronized(): void;
  /** Downloaded blocks are about to be verified, and are so no longer. */
  onVerifying(isVerifying: boolean): void;
  /** Blocks downloaded after that brought us level with the peers again. */
  onCaughtUp(): void;
  onProgress(progress: SyncProgress): void;
}

/**
 * Follows the chains of all peers: asks for their ids, has several of them deliver spans of blocks
 * and hands those over for verification (`src/cryptonote_protocol/cryptonote_protocol_handler.inl`).
 */
export class ChainSync {
  readonly queue = new SpanQueue();
  readonly stripes: StripePolicy;
  readonly #options: ChainSyncOptions;
  readonly #hooks: ChainSyncHooks;
  readonly #chain: ChainForP2p;
  readonly #peers: PeerSet;
  readonly #logger: Logger;
  readonly #feeder: BlockFeeder;
  readonly #rate: BlockRate;
  #target = 0;
  #heaviest = { height: -1, weight: 0 };
  #synchronized: boolean;
  #lastAdded: number;
  #lastSearch: number;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    options: ChainSyncOptions,
    deps: { chain: ChainForP2p; peers: PeerSet; logger: Logger },
    hooks: ChainSyncHooks,
  ) {
    this.#options = options;
    this.#hooks = hooks;
    this.#chain = deps.chain;
    this.#peers = deps.peers;
    this.#logger = deps.logger;
    this.#synchronized = options.offline;
    this.#lastAdded = this.#lastSearch = options.now();
    this.#rate = new BlockRate(options.now);
    this.stripes = new StripePolicy({
      peers: deps.peers,
      queue: this.queue,
      chain: deps.chain,
      target: () => this.#target,
      outPeers: options.outPeers,
    });
    this.#feeder = new BlockFeeder(
      { ...deps, queue: this.queue },
      {
        onVerifying: (isVerifying) => this.#hooks.onVerifying(isVerifying),
        onAdded: (added) => this.#added(added),
        onChange: () => this.#advanceAll(),
      },
    );
  }

  /** Whether our chain has once caught up with the peers'. */
  get synchronized(): boolean {
    return this.#synchronized;
  }

  /** Height of the highest chain among the peers; 0 while unknown. */
  get target(): number {
    return this.#target;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#feeder.stop();
    this.queue.clear();
  }

  /**
   * Takes note of what a peer says of its chain, in a handshake (`initial`) or a timed sync.
   * Returns why the peer is to be dropped, or undefined.
   */
  onSyncData(peer: Peer, data: SyncData, initial: boolean): string | undefined {
    if (peer.state === 'before_handshake' && !initial) return undefined;
    if (peer.synchronizing) {
      // Its ids are being worked through; a higher chain is asked for when that is done.
      if (peer.state === 'standby' && data.current_height > peer.height)
        this.#setHeight(peer, data);
      return undefined;
    }
    const refusal = refuseSyncData(this.#chain, data);
    if (refusal !== undefined) return refusal;
    if (data.current_height < peer.height && !this.#peers.lowerScore(peer, 'its chain shrank'))
      return undefined;
    peer.height = data.current_height;
    peer.pruningSeed = data.pruning_seed;
    if (this.#chain.has(data.top_id) !== undefined) {
      peer.becomeNormal();
      const target = this.#target || this.#chain.height;
      if (initial && data.current_height >= target && target === this.#chain.height)
        this.#becomeSynchronized();
      return undefined;
    }
    if (isHidden(peer.address)) peer.becomeNormal();
    else this.#startWith(peer);
    return undefined;
  }

  #setHeight(peer: Peer, data: SyncData): void {
    peer.height = data.current_height;
    this.#raiseTarget(peer.height);
  }

  #startWith(peer: Peer): void {
    if (peer.height > this.#target) {
      if (peer.height > this.#chain.height)
        this.#logger.info(`${peer} is at ${peer.height}, we are at ${this.#chain.height}`);
      this.#target = peer.height;
    }
    if (this.#options.noSync) {
      peer.becomeNormal();
      return;
    }
    this.resync(peer);
  }

  /** Asks a peer for its chain from the beginning, once what is being handled is done. */
  resync(peer: Peer): void {
    peer.state = 'synchronizing';
    peer.chain = undefined;
    setImmediate(() => this.#advance(peer));
  }

  /** A connection has ended. */
  onPeerClosed(peer: Peer): void {
    this.queue.removeOwned(peer.id, { filled: false });
    if (this.#stopped) return;
    const heights = this.#peers
      .filter((other) => other !== peer && other.state !== 'before_handshake')
      .map((other) => other.height);
    this.#target = Math.min(this.#target, Math.max(0, ...heights));
    this.#advanceAll();
  }

  async onChainEntry(peer: Peer, entry: ResponseChain): Promise<void> {
    const { pending } = peer;
    if (pending?.kind !== 'chain') return this.#unsolicited(peer);
    const context = { chain: this.#chain, queue: this.queue };
    const checked = await checkChainEntry(entry, pending.maxStart, context);
    if (peer.connection.closed || peer.pending !== pending) return;
    peer.pending = undefined;
    if (checked instanceof Violation) {
      this.#peers.drop(peer, checked.reason, checked.penalty);
      return;
    }
    if (!this.#updateHeight(peer, entry.total_height)) return;
    if (peer.chain && checked.end <= peer.chain.end && checked.end < peer.height) {
      // It claims more than it shows. Asking again would bring the same answer.
      this.#peers.drop(peer, 'nothing new in its chain entry');
      return;
    }
    peer.chain = checked;
    this.#advance(peer);
  }

  async onObjects(peer: Peer, answer: ResponseObjects): Promise<void> {
    const { pending, chain } = peer;
    if (pending?.kind !== 'objects' || !chain) return this.#unsolicited(peer);
    const checked = await checkObjects(answer.blocks, pending, chain);
    if (peer.connection.closed || peer.pending !== pending) return;
    peer.pending = undefined;
    if (checked instanceof Violation) {
      this.#peers.drop(peer, checked.reason, checked.penalty);
      return;
    }
    if (!this.#updateHeight(peer, answer.current_blockchain_height)) return;
    const { ids, start, prune, since } = pending;
    const seconds = Math.max(1, this.#options.now() - since) / 1000;
    this.queue.fill(
      { start, ids, owner: peer.id, address: peer.address, requestedAt: since, ...flag(prune) },
      { ...checked, rate: checked.size / seconds },
    );
    this.#feeder.kick();
    this.#advance(peer);
  }

  #unsolicited(peer: Peer): void {
    this.#peers.drop(peer, 'an answer that was not asked for', 1);
  }

  /** A block of a peer in good standing turned out to be its newest. */
  onPeerBlock(peer: Peer, height: number): void {
    peer.height = height;
  }

  #updateHeight(peer: Peer, height: number): boolean {
    if (height < peer.height && !this.#peers.lowerScore(peer, 'its chain shrank')) return false;
    peer.height = height;
    this.#raiseTarget(height);
    return true;
  }

  #raiseTarget(height: number): void {
    this.#target = Math.max(this.#target, height);
  }

  #advanceAll(): void {
    for (const peer of [...this.#peers]) this.#advance(peer);
  }

  /** Does what can be done with a peer that has nothing pending. */
  #advance(peer: Peer): void {
    if (this.#stopped || peer.connection.closed || !peer.synchronizing || peer.pending) return;
    const step = planStep(peer, this.#planContext());
    switch (step.do) {
      case 'request-chain':
        return this.#requestChain(peer, step.after);
      case 'request-blocks':
      case 'request-again':
        return this.#requestBlocks(peer, step);
      case 'wait':
        peer.state = 'standby';
        if (step.lacksStripe && this.stripes.shouldDrop(peer))
          this.#peers.drop(peer, 'it does not hold the blocks needed next');
        return;
      case 'drop':
        return this.#peers.drop(peer, step.reason, step.penalty);
      case 'finish':
        peer.becomeNormal();
        if (this.#chain.height >= this.#target) this.#becomeSynchronized();
    }
  }

  #planContext(): PlanContext {
    const { queue } = this;
    const maxBytes = this.#options.blockDownloadMaxSize || MAX_QUEUE_BYTES;
    return {
      queue,
      chainHeight: this.#chain.height,
      now: this.#options.now(),
      batch: this.#batchSize(),
      room: queue.filledCount < MAX_FILLED_SPANS && queue.bytes < maxBytes,
      where: (id) => this.#chain.has(fromHex(id)),
      peer: (id) => this.#peers.get(id),
      ...this.#prunedDownloads(),
    };
  }

  #prunedDownloads(): Pick<PlanContext, 'mayBePruned'> {
    const mayBePruned = this.#options.syncPrunedBlocks
      ? blocksToTakePruned(this.#chain)
      : undefined;
    return mayBePruned === undefined ? {} : { mayBePruned };
  }

  #batchSize(): number {
    if (this.#options.blockSyncSize > 0) return batchSize(this.#options.blockSyncSize, 0);
    const heaviest = Math.max(this.#heaviestLately(), this.queue.largestAverageBlock());
    return Math.min(batchSize(0, heaviest), this.#feeder.blocksAtOnce);
  }

  /** Weight of the heaviest of the newest blocks, looked up once for every height. */
  #heaviestLately(): number {
    const { height, store } = this.#chain;
    if (this.#heaviest.height !== height) {
      const metas = store.blockMetas(Math.max(0, height - WEIGHT_WINDOW), height);
      const weight = metas.reduce((max, meta) => Math.max(max, meta.weight), 0);
      this.#heaviest = { height, weight };
    }
    return this.#heaviest.weight;
  }

  #requestChain(peer: Peer, after: string | undefined): void {
    const ids = this.#chain.shortHistory();
    let maxStart = this.#chain.height - 1;
    if (after !== undefined) {
      ids.unshift(fromHex(after));
      maxStart = Infinity;
    }
    peer.state = 'synchronizing';
    peer.pending = { kind: 'chain', maxStart, since: this.#options.now() };
    // Without `prune` a pruned peer tells nothing when it does not hold the block we are at.
    const prune = peer.pruningSeed !== 0 || this.#options.syncPrunedBlocks === true;
    this.#notify(peer, COMMANDS.requestChain, REQUEST_CHAIN, { block_ids: ids, prune });
  }

  #requestBlocks(
    peer: Peer,
    step: Extract<Step, { do: 'request-blocks' } | { do: 'request-again' }>,
  ): void {
    const now = this.#options.now();
    const { start, ids, prune } = step.do === 'request-blocks' ? step.run : step.span;
    const request = { start, ids, ...flag(prune) };
    if (step.do === 'request-blocks')
      this.queue.schedule({
        ...request,
        owner: peer.id,
        address: peer.address,
        requestedAt: now,
      });
    else this.queue.reassign(step.span, peer.id, peer.address, now);
    peer.state = 'synchronizing';
    peer.pending = { kind: 'objects', ...request, since: now };
    const blocks = ids.map((id) => fromHex(id));
    this.#notify(peer, COMMANDS.requestObjects, REQUEST_OBJECTS, { blocks, prune: prune === true });
  }

  #notify<T>(peer: Peer, command: number, schema: MessageSchema<T>, message: T): void {
    peer.connection.notify(command, encodeMessage(schema, message));
  }

  #added(added: number): void {
    this.#rate.add(added);
    this.#lastAdded = this.#options.now();
    const { height } = this.#chain;
    const blocksPerSecond = this.#rate.perSecond;
    this.#logger.debug(`synced ${height}/${Math.max(height, this.#target)}`);
    this.#hooks.onProgress({ height, target: Math.max(height, this.#target), blocksPerSecond });
    if (this.#synchronized && height >= this.#target) this.#hooks.onCaughtUp();
  }

  #becomeSynchronized(): void {
    if (this.#synchronized) return;
    this.#synchronized = true;
    this.#hooks.onSynchronized();
  }

  #tick(): void {
    const now = this.#options.now();
    for (const peer of [...this.#peers]) this.#checkIdle(peer, now);
    this.#advanceAll();
    this.#checkStuck(now);
    if (now - this.#lastSearch >= SEARCH_MS) {
      this.#lastSearch = now;
      this.#search();
    }
  }

  /** A peer that owes an answer gets a second chance, and is dropped the next time. */
  #checkIdle(peer: Peer, now: number): void {
    const { pending } = peer;
    if (!pending) return;
    const silent = now - Math.max(pending.since, peer.connection.lastReceive) > SILENT_MS;
    if (!silent && now - pending.since <= ANSWER_MS) return;
    if (peer.score-- < 0) {
      this.#peers.drop(peer, 'it does not answer', IDLE_PENALTY);
      return;
    }
    this.#logger.info(`${peer} owes an answer since ${(now - pending.since) / 1000} s`);
    peer.pending = undefined;
    peer.state = 'standby';
    this.queue.removeOwned(peer.id, { filled: false });
  }

  /** Breaks a state in which everybody waits for somebody else. */
  #checkStuck(now: number): void {
    const waiting = this.#peers.filter((peer) => peer.synchronizing);
    if (waiting.length === 0 || this.#feeder.busy || waiting.some((peer) => peer.pending)) {
      if (waiting.length === 0) this.#lastAdded = now;
      return;
    }
    if (now - this.#lastAdded < STUCK_MS) return;
    this.#lastAdded = now;
    const victim = waiting.find((peer) => !peer.incoming);
    if (victim) this.#peers.drop(victim, 'synchronizing is stuck');
  }

  /** Makes room for peers that may know more, when all we have are no further than we are. */
  #search(): void {
    if (this.#target > this.#chain.height) return;
    const outgoing = this.#peers.filter(
      (peer) => peer.handshaked && !peer.incoming && !isHidden(peer.address),
    );
    const syncing = outgoing.filter((peer) => peer.state === 'synchronizing').length;
    const synced = outgoing.filter((peer) => peer.state === 'normal');
    if (synced.length + syncing < this.#options.outPeers() || syncing >= SEARCH_PEERS) return;
    const victim = synced.findLast((peer) => !peer.anchor);
    if (victim) this.#peers.drop(victim, 'making room to look for other peers');
  }
}

function flag(prune: boolean | undefined): { prune?: boolean } {
  return prune === true ? { prune } : {};
}
