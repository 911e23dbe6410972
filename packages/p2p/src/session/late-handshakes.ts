import type { MillisecondClock } from '@monero-node/base';
import type { PeerSet } from '../peers/peer-set.ts';

/** Milliseconds from a connection to the end of its handshake, whoever made it and whatever is sent meanwhile. */
const HANDSHAKE_MS = 60_000;

/**
 * Closes connections whose handshake takes too long. The idle time-out alone does not: every byte extends it, and so does every
 * answer to a ping. monerod has no such limit (monero-project/monero, issue 11082).
 */
export class LateHandshakes {
  readonly #peers: PeerSet;
  readonly #now: MillisecondClock;

  constructor({ peers, now }: { readonly peers: PeerSet; readonly now: MillisecondClock }) {
    this.#peers = peers;
    this.#now = now;
  }

  /** Called every few seconds. */
  close(): void {
    const before = this.#now() - HANDSHAKE_MS;
    for (const peer of this.#peers.filter(({ handshaked }) => !handshaked)) {
      if (peer.connection.startedAt <= before)
        this.#peers.drop(peer, 'its handshake took too long');
    }
  }
}
