import type { Logger } from '@monero-node/base';
import { ByteBudget } from '../levin/byte-budget.ts';
import { LevinConnection } from '../levin/connection.ts';
import type { LevinHandler } from '../levin/connection.ts';
import { connectionLimitHost, formatAddress, isUnknown } from '../net/address.ts';
import type { RateLimiters } from '../net/token-bucket.ts';
import type { TransportStream } from '../transport/transport.ts';
import type { NetStats } from '../types.ts';
import type { Zones } from '../zones/zones.ts';
import type { BanList } from './bans.ts';
import type { PeerSet } from './peer-set.ts';
import { Peer } from './peer.ts';

/** Open sockets above which hosts with several of them get shorter idle time-outs. */
const MANY_SOCKETS = 120;
/** Bytes of incomplete messages, of all connections and of each that needs not care. */
const RECEIVE_BUDGET = 512 * 1024 * 1024;
const RECEIVE_SHARE = 1024 * 1024;

export interface LinksDeps {
  peers: PeerSet;
  bans: BanList;
  limiters: RateLimiters;
  logger: Logger;
  /** Milliseconds. */
  now: () => number;
  zones: Zones;
  maxConnectionsPerIp: number;
  handlerFor: (peer: Peer) => LevinHandler;
}

/** Turns streams into peers, refuses those that are too many, and counts the traffic. */
export class Links {
  readonly #deps: LinksDeps;
  readonly stats: NetStats;
  readonly #budget = new ByteBudget(RECEIVE_BUDGET, RECEIVE_SHARE);

  constructor(deps: LinksDeps) {
    this.#deps = deps;
    const startTime = Math.floor(deps.now() / 1000);
    this.stats = { startTime, bytesIn: 0, bytesOut: 0, packetsIn: 0, packetsOut: 0 };
  }

  /** A stream somebody opened to us. */
  accept(stream: TransportStream): void {
    const refusal = this.#refusal(stream);
    if (refusal === undefined) {
      this.adopt(stream, { incoming: true });
      return;
    }
    this.#deps.logger.debug(`refused ${formatAddress(stream.remote)}: ${refusal}`);
    stream.destroy();
  }

  #refusal({ remote: address, via }: TransportStream): string | undefined {
    const { bans, maxConnectionsPerIp, peers, zones } = this.#deps;
    const zone = zones.of(address);
    if (!zone) return 'a network that is not taken part in';
    if ([address, via].some((at) => at && bans.secondsLeft(at.host) !== undefined))
      return 'the host is banned';
    const incoming = peers.filter((peer) => peer.incoming && zones.of(peer.address) === zone);
    if (incoming.length >= zone.inPeers()) return 'too many incoming connections';
    // Everyone who comes through a hidden service seems to come from the same place, and libp2p's
    // connections were counted when they came in.
    if (zone !== zones.public) return undefined;
    const host = connectionLimitHost(address);
    const fromHost = incoming.filter((peer) => connectionLimitHost(peer.address) === host);
    if (fromHost.length >= maxConnectionsPerIp) return 'too many connections from its host';
    return undefined;
  }

  /** Makes a peer of a stream and starts reading from it. */
  adopt(stream: TransportStream, options: { incoming: boolean }): Peer {
    const { handlerFor, limiters, logger, now, peers } = this.#deps;
    const connection: LevinConnection = new LevinConnection({
      stream,
      incoming: options.incoming,
      limiters,
      logger,
      now,
      budget: this.#budget,
      onTraffic: (direction, bytes) => this.count(direction, bytes),
      idleHalvings: () => this.#halvings(connection),
    });
    const peer = new Peer(connection);
    peers.add(peer);
    connection.open(handlerFor(peer));
    return peer;
  }

  /** Adds a transfer to the totals. */
  count(direction: 'in' | 'out', bytes: number): void {
    if (direction === 'in') {
      this.stats.bytesIn += bytes;
      this.stats.packetsIn++;
    } else {
      this.stats.bytesOut += bytes;
      this.stats.packetsOut++;
    }
  }

  #halvings(connection: LevinConnection): number {
    const { peers } = this.#deps;
    if (peers.size <= MANY_SOCKETS || isUnknown(connection.remote)) return 0;
    return Math.max(0, peers.sameHost(connection.remote).length - 1);
  }
}
