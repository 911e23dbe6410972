import { createHash } from 'node:crypto';
import { encodeMessage } from '@monero-node/codec';
import { Breather } from '../breather.ts';
import { COMMANDS } from '../messages/commands.ts';
import { NEW_TRANSACTIONS, TXPOOL_COMPLEMENT } from '../messages/transactions.ts';
import type { NewTransactions, TxpoolComplement } from '../messages/transactions.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { RelayBatch, TxRelay } from './tx-relay.ts';

/** Exchange of transactions with peers; see {@link TxRelay} for what happens without a pool. */
export class TransactionRelay {
  readonly #peers: PeerSet;
  readonly #sync: ChainSync;
  readonly #pool: TxRelay | undefined;
  /** Cleared once a peer was asked for the transactions we lack, set again when all are gone. */
  #askForPool = true;

  constructor(deps: { peers: PeerSet; sync: ChainSync; txRelay?: TxRelay | undefined }) {
    this.#peers = deps.peers;
    this.#sync = deps.sync;
    this.#pool = deps.txRelay;
  }

  async onTransactions(peer: Peer, message: NewTransactions): Promise<void> {
    if (peer.state !== 'normal' || !this.#sync.synchronized) return;
    if (await hasDuplicates(message.txs)) {
      this.#peers.drop(peer, 'duplicate transactions in one message');
      return;
    }
    const good = await this.#pool?.receive({
      txs: message.txs,
      fluff: message.dandelionpp_fluff,
      connectionId: peer.id,
    });
    if (good === false) this.#peers.drop(peer, 'a transaction that fails verification');
  }

  /** Answers with the public pool transactions the peer lacks, in the stem form monerod gives them. */
  onComplementRequest(peer: Peer, message: TxpoolComplement): void {
    if (peer.state !== 'normal') return;
    this.send(peer, this.#pool?.complement(message.hashes) ?? [], false);
  }

  /** Asks the first suitable peer for pool transactions, once. */
  askForPool(): void {
    if (!this.#askForPool || !this.#pool) return;
    const [peer] = this.#peers.filter(({ state }) => state !== 'before_handshake');
    if (!peer) return;
    this.#askForPool = false;
    const body = encodeMessage(TXPOOL_COMPLEMENT, { hashes: this.#pool.publicIds() });
    peer.connection.notify(COMMANDS.txpoolComplement, body);
  }

  /** The last peer has left. */
  disconnected(): void {
    this.#askForPool = true;
  }

  relay({ transactions, method, from }: RelayBatch): void {
    if (method === 'none' || method === 'block') return;
    this.#pool?.markRelayed(
      transactions.map(({ id }) => id),
      'fluff',
    );
    const blobs = transactions.map(({ blob }) => blob);
    for (const peer of this.#peers) {
      if (peer.state === 'before_handshake' || peer.id === from) continue;
      this.send(peer, blobs, true);
    }
  }

  send(peer: Peer, txs: readonly Uint8Array[], fluff: boolean): void {
    const message = { _: '', dandelionpp_fluff: fluff, txs: [...txs] };
    peer.connection.notify(COMMANDS.newTransactions, encodeMessage(NEW_TRANSACTIONS, message));
  }
}

async function hasDuplicates(txs: readonly Uint8Array[]): Promise<boolean> {
  const breather = new Breather();
  const seen = new Set<string>();
  for (const tx of txs) {
    await breather.breathe();
    seen.add(createHash('sha256').update(tx).digest('hex'));
  }
  return seen.size !== txs.length;
}
