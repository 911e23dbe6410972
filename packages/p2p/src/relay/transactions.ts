import { createHash } from 'node:crypto';
import { Yielder } from '@monero-node/base';
import type { MillisecondClock, RandomSource } from '@monero-node/base';
import { encodeMessage } from '@monero-node/codec';
import { COMMANDS } from '../messages/commands.ts';
import { JOINED_COMPLEMENT } from '../messages/transactions.ts';
import type { NewTransactions, JoinedComplement } from '../messages/transactions.ts';
import { isHidden } from '../net/address.ts';
import { isTransactionOffense } from '../peers/bans/error-penalties.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { Dandelion } from './dandelion.ts';
import { txMessage } from './tx-message.ts';
import type { RelayBatch, PoolForP2p } from '../contract/pool-for-p2p.ts';

/** Blocks by which a stem peer may be behind us: its last message may be older than our newest blocks. */
const STEM_LAG = 2;

/** Ids that fit in the largest request that peers accept, 4 MiB. */
const MAX_ENQUIRY = 131_000;

export interface TransactionRelayDeps {
  readonly chain: ChainForP2p;
  readonly peers: PeerSet;
  readonly sync: ChainSync;
  readonly pool?: PoolForP2p | undefined;
  /** Pad messages to hide their length. */
  readonly pad: boolean;
  readonly now: MillisecondClock;
  /** Peers must not be able to guess it. */
  readonly random: RandomSource;
}

/** Exchanges transactions with peers. {@link PoolForP2p} describes the behavior without a pool. */
export class TransactionRelay {
  readonly #deps: TransactionRelayDeps;
  readonly #pool: PoolForP2p | undefined;
  readonly #dandelion: Dandelion;
  /** Cleared once a peer was asked for the transactions that we lack; set again when all peers have left. */
  #askForPool = true;

  constructor(deps: TransactionRelayDeps) {
    this.#deps = deps;
    this.#pool = deps.pool;
    this.#dandelion = new Dandelion({
      stemCandidates: () => this.#stemCandidates(),
      peers: () => deps.peers.filter(isOpenPeer),
      send: (id, blobs, fluff) => this.#sendTo(id, blobs, fluff),
      markRelayed: (ids, method) => this.#pool?.markRelayed(ids, method),
      now: deps.now,
      random: deps.random,
    });
  }

  start(): void {
    this.#dandelion.start();
  }

  stop(): void {
    this.#dandelion.stop();
  }

  async onTransactions(peer: Peer, message: NewTransactions): Promise<void> {
    const { peers, sync } = this.#deps;
    if (sync.stateOf(peer).state !== 'normal' || !sync.synchronized) return;
    if (await hasDuplicates(message.txs)) {
      peers.drop(peer, 'duplicate transactions in one message');
      return;
    }
    const received = {
      txs: message.txs,
      fluff: message.dandelionpp_fluff,
      hidden: isHidden(peer.address),
      connectionId: peer.id,
      left: peer.connection.ended,
    };
    const good = await this.#pool?.receive(received, isTransactionOffense);
    if (good === false) peers.drop(peer, 'a transaction that fails verification');
  }

  /** Sends the public pool transactions that the peer lacks, marked as stem like monerod's. */
  async onComplementRequest(peer: Peer, { hashes }: JoinedComplement): Promise<void> {
    if (this.#deps.sync.stateOf(peer).state !== 'normal') return;
    const known = hashes.length % 32 === 0 ? hashes : new Uint8Array(0);
    const yielder = peer.connection.newYielder();
    const txs = (await this.#pool?.complement(known, yielder)) ?? [];
    const body = txMessage(txs, { fluff: false, pad: false });
    peer.connection.notify(COMMANDS.newTransactions, body);
  }

  /** Asks the first suitable peer for pool transactions, once. */
  askForPool(): void {
    if (!this.#askForPool || !this.#pool) return;
    const { peers, sync } = this.#deps;
    const [peer] = peers.filter(
      (other) => sync.stateOf(other).state !== 'before_handshake' && !isHidden(other.address),
    );
    if (!peer) return;
    this.#askForPool = false;
    const hashes = this.#pool.joinedPublicIds(MAX_ENQUIRY);
    const body = encodeMessage(JOINED_COMPLEMENT, { hashes });
    peer.connection.notify(COMMANDS.txpoolComplement, body);
  }

  /** Forgets a closed connection. */
  closed(peer: Peer): void {
    this.#dandelion.forget(peer.id);
    const { peers } = this.#deps;
    if (peers.count((other) => other.handshaked) === 0) this.#askForPool = true;
  }

  /** Sends transactions of the pool to peers. */
  relay(batch: RelayBatch): void {
    this.#dandelion.relay(batch);
  }

  #sendTo(id: string, txs: readonly Uint8Array[], fluff: boolean): boolean {
    const peer = this.#deps.peers.get(id);
    if (peer === undefined || peer.connection.closed) return false;
    const body = txMessage(txs, { fluff, pad: this.#deps.pad });
    peer.connection.notify(COMMANDS.newTransactions, body);
    return true;
  }

  /** Returns the outgoing peers at our height or, while we are behind, at the height of most of them. */
  #stemCandidates(): string[] {
    const { chain, sync, peers } = this.#deps;
    const outgoing = peers
      .filter((peer) => isOpenPeer(peer) && !peer.incoming)
      .map((peer) => ({ id: peer.id, height: sync.stateOf(peer).height }));
    const heights = outgoing.map(({ height }) => height).sort((a, b) => a - b);
    const median = heights[(heights.length - 1) >> 1] ?? 0;
    const wanted = sync.synchronized ? chain.height : Math.max(chain.height, median);
    return outgoing.filter(({ height }) => height + STEM_LAG >= wanted).map(({ id }) => id);
  }
}

function isOpenPeer(peer: Peer): boolean {
  return peer.handshaked && !isHidden(peer.address);
}

async function hasDuplicates(txs: readonly Uint8Array[]): Promise<boolean> {
  const yielder = new Yielder();
  const seen = new Set<string>();
  for (const tx of txs) {
    await yielder.yieldIfDue();
    seen.add(createHash('sha256').update(tx).digest('hex'));
  }
  return seen.size !== txs.length;
}
