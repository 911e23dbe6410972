import type { Logger, MillisecondClock, RandomSource } from '@monero-node/base';
import { COMMANDS } from '../messages/commands.ts';
import { zoneOf } from '../net/address.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import type { NetworkZone } from '../zones/zones.ts';
import { FluffQueue } from './fluff-queue.ts';
import { NOISE_CHANNELS, NoiseChannels } from './noise.ts';
import { txMessage } from './tx-message.ts';

/** Blocks by which a peer may be behind us. */
const HEIGHT_LEEWAY = 2;

export interface AnonymityRelayDeps {
  chain: Pick<ChainForP2p, 'height'>;
  peers: PeerSet;
  sync: ChainSync;
  logger: Logger;
  padTransactions: boolean;
  now: MillisecondClock;
  /** In [0, 1); peers must not be able to guess it. */
  random: RandomSource;
}

interface HiddenZone {
  readonly zone: NetworkZone;
  readonly noise: NoiseChannels | undefined;
}

/** Sends the transactions of this node's clients over Tor or I2P, and only there. */
export class AnonymityRelay {
  readonly #deps: AnonymityRelayDeps;
  readonly #zones: readonly HiddenZone[];
  /** Without noise, transactions are sent after a random delay, marked for immediate relay. */
  readonly #queue: FluffQueue;

  /** @param zones anonymity networks, in any order */
  constructor(zones: readonly NetworkZone[], deps: AnonymityRelayDeps) {
    this.#deps = deps;
    this.#queue = new FluffQueue({
      now: deps.now,
      random: deps.random,
      send: (id, txs) => this.#flush(id, txs),
    });
    // I2P comes before Tor when there are both: send_txs in src/p2p/net_node.inl.
    const ordered = [...zones].sort((a, b) => (a.zone < b.zone ? -1 : 1));
    this.#zones = ordered.map((zone) => ({
      zone,
      noise: zone.noise
        ? new NoiseChannels({ candidates: () => this.#candidates(zone), random: deps.random })
        : undefined,
    }));
  }

  /** Whether our clients' transactions are sent here instead of to the public network. */
  get enabled(): boolean {
    return this.#zones.length > 0;
  }

  start(): void {
    for (const { noise } of this.#zones) noise?.start();
  }

  stop(): void {
    for (const { noise } of this.#zones) noise?.stop();
    this.#queue.stop();
  }

  /** Updates the noise channels and queues: the handshake with a peer is done, or its link is closed. */
  peersChanged(peer: Peer): void {
    const at = this.#zones.find(({ zone }) => zone.zone === zoneOf(peer.address));
    if (!peer.incoming) at?.noise?.refresh();
    if (peer.connection.closed) this.#queue.forget(peer.id);
  }

  /**
   * Sends transactions over the best network. Returns false if none has a peer to send to; the transactions are then not
   * sent at all, and the caller may try again later.
   */
  send(txs: readonly Uint8Array[]): boolean {
    const at = this.#choose();
    if (at && this.#sendOver(at, txs)) return true;
    this.#deps.logger.warn(
      `${txs.length} transactions not sent: no outgoing connection to an anonymity network`,
    );
    return false;
  }

  #choose(): HiddenZone | undefined {
    if (this.#zones.length === 1) return this.#zones[0];
    return (
      this.#zones.find(({ noise }) => noise && noise.connected >= NOISE_CHANNELS) ??
      this.#zones.find(({ zone }) => this.#outgoing(zone).length > 0)
    );
  }

  #sendOver({ zone, noise }: HiddenZone, txs: readonly Uint8Array[]): boolean {
    if (noise) return noise.send(txs);
    const peers = this.#outgoing(zone);
    this.#queue.add(peers, txs);
    return peers.length > 0;
  }

  #outgoing({ zone }: NetworkZone): Peer[] {
    return this.#deps.peers.filter(
      (peer) => !peer.incoming && peer.handshaked && zoneOf(peer.address) === zone,
    );
  }

  /** Returns the peers for noise: outgoing and not far behind. */
  #candidates(zone: NetworkZone): Peer[] {
    const { chain, sync } = this.#deps;
    return this.#outgoing(zone).filter(
      (peer) =>
        !peer.connection.closed && sync.stateOf(peer).height + HEIGHT_LEEWAY >= chain.height,
    );
  }

  #flush(id: string, txs: readonly Uint8Array[]): void {
    const body = txMessage(txs, { fluff: true, pad: this.#deps.padTransactions });
    this.#deps.peers.get(id)?.connection.notify(COMMANDS.newTransactions, body);
  }
}
