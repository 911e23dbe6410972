import { ByteBudget, monotonicMilliseconds, SharedSlice } from '@monero-node/base';
import type { Logger, MillisecondClock } from '@monero-node/base';
import { LevinConnection } from '../levin/connection.ts';
import type { LevinHandler } from '../levin/handler.ts';
import { WorkBudgets } from '../levin/work-budget.ts';
import { isPrivate } from '../hosts/hosts.ts';
import { formatPeerAddress, isUnknown } from '../net/address.ts';
import { connectionLimitHost } from '../net/ip-address.ts';
import type { RateLimiters } from '../net/rate-limiters.ts';
import type { AdjustableLimits } from '../options/adjustable-limits.ts';
import type { BanList } from '../peers/bans/bans.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import { Peer } from '../peers/peer.ts';
import type { TransportStream } from '../transport/transport.ts';
import type { Zones } from '../zones/zones.ts';
import type { TrafficTotals } from './traffic.ts';

/** With more open connections than this, hosts with several of them get shorter idle time-outs. */
const MANY_SOCKETS = 120;
/** Bytes of incomplete messages: of all connections together, and of each that is always allowed. */
const RECEIVE_BUDGET = 384 * 1024 * 1024;
const RECEIVE_SHARE = 1024 * 1024;
/** Bytes in memory that wait to be sent, in the same way. */
const SEND_BUDGET = 96 * 1024 * 1024;
const SEND_SHARE = 2 * 1024 * 1024;

/** Hosts named in the log at most. */
const MOST_NAMED = 100;

export interface LinksDeps {
  peers: PeerSet;
  bans: BanList;
  limiters: RateLimiters;
  traffic: TrafficTotals;
  logger: Logger;
  now: MillisecondClock;
  zones: Zones;
  limits: Pick<AdjustableLimits, 'maxConnectionsPerIp'>;
  handlerFor: (peer: Peer) => LevinHandler;
}

/** Turns streams into peers, and refuses connections beyond the limits. */
export class Links {
  readonly #deps: LinksDeps;
  readonly #budget = new ByteBudget({ limit: RECEIVE_BUDGET, fairShare: RECEIVE_SHARE });
  readonly #sendBudget = new ByteBudget({ limit: SEND_BUDGET, fairShare: SEND_SHARE });
  readonly #work = new WorkBudgets(monotonicMilliseconds);
  readonly #turns = new SharedSlice();
  /** Hosts of which the log says that they have all their connections. */
  readonly #namedHosts = new Set<string>();

  constructor(deps: LinksDeps) {
    this.#deps = deps;
  }

  /** Accepts or refuses an incoming stream. */
  accept(stream: TransportStream): void {
    const refusal = this.#refusal(stream);
    if (refusal === undefined) {
      this.adopt(stream, { incoming: true });
      return;
    }
    this.#deps.logger.debug(`refused ${formatPeerAddress(stream.remote)}: ${refusal}`);
    stream.destroy();
  }

  #refusal({ remote: address, via }: TransportStream): string | undefined {
    const { bans, limits, peers, zones } = this.#deps;
    const zone = zones.of(address);
    if (!zone) return 'this node takes no part in its network';
    if ([address, via].some((at) => at && bans.secondsLeft(at.host) !== undefined))
      return 'the host is banned';
    const incoming = peers.filter((peer) => peer.incoming && zones.of(peer.address) === zone);
    // All peers that connect through a hidden service have the same address, and the inbound gate has counted the
    // connections of libp2p.
    if (zone === zones.public) {
      const host = connectionLimitHost(address);
      const fromHost = incoming.filter((peer) => connectionLimitHost(peer.address) === host);
      if (fromHost.length >= limits.maxConnectionsPerIp)
        return this.#fullHost(host, limits.maxConnectionsPerIp);
    }
    if (incoming.length < zone.inPeers() || this.#makeRoom(incoming)) return undefined;
    return 'too many incoming connections';
  }

  /**
   * Returns the refusal of a host that has all its connections. One of this machine or network is probably the owner's: it is named in
   * the log once.
   */
  #fullHost(host: string, most: number): string {
    const limit = `--max-connections-per-ip is ${most}`;
    if (isPrivate(host) && !this.#namedHosts.has(host) && this.#namedHosts.size < MOST_NAMED) {
      this.#namedHosts.add(host);
      this.#deps.logger.warn(
        `refused a connection of ${host}, which has as many as it may: ${limit}`,
      );
    }
    return `too many connections from its host: ${limit}`;
  }

  /** Closes the oldest connection whose peer has not introduced itself, so that silent ones keep nobody out. */
  #makeRoom(incoming: readonly Peer[]): boolean {
    const silent = incoming.find(({ handshaked }) => !handshaked);
    if (silent === undefined) return false;
    this.#deps.peers.drop(silent, 'it has said nothing, and others want its place');
    return true;
  }

  /** Creates the peer of a stream and starts reading from it. */
  adopt(stream: TransportStream, options: { incoming: boolean; anchor?: boolean }): Peer {
    const { handlerFor, limiters, logger, now, peers, traffic } = this.#deps;
    const connection: LevinConnection = new LevinConnection({
      stream,
      incoming: options.incoming,
      limiters,
      logger,
      now,
      budget: this.#budget,
      sendBudget: this.#sendBudget,
      work: this.#work.of(stream.via ?? stream.remote),
      turns: this.#turns,
      onTraffic: traffic.add,
      idleHalvings: () => this.#halvings(connection),
    });
    const peer = new Peer(connection, options);
    peers.add(peer);
    connection.open(handlerFor(peer));
    return peer;
  }

  #halvings(connection: LevinConnection): number {
    const { peers } = this.#deps;
    if (peers.size <= MANY_SOCKETS || isUnknown(connection.remote)) return 0;
    return Math.max(0, peers.sameHost(connection.remote).length - 1);
  }
}
