import type { MillisecondClock } from '@monero-node/base';
import { formatPeerAddress } from '../net/address.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { connectionInfo } from './connection-info.ts';
import type { ConnectionInfo } from './connection-info.ts';
import { spanOverview } from '../sync/span-queue.ts';

/** A span of the download queue, as `sync_info` reports it. */
export interface SyncSpanInfo {
  startBlockHeight: number;
  nblocks: number;
  /** Id of the connection it was requested from, 32 hex digits. */
  connectionId: string;
  /** Bytes per second; 0 while not received. */
  rate: number;
  /** Percent of the fastest connection's speed. */
  speed: number;
  /** Bytes. */
  size: number;
  remoteAddress: string;
}

export interface SyncInfo {
  height: number;
  /** 0 when synchronized or unknown. */
  targetHeight: number;
  /** Stripe 1..8, or 0 when any peer will do. */
  nextNeededPruningStripe: number;
  /** `[` … `]`, one character per span; `[]` when empty. */
  overview: string;
  peers: ConnectionInfo[];
  spans: SyncSpanInfo[];
}

export interface ReportsDependencies {
  readonly chain: Pick<ChainForP2p, 'height'>;
  readonly peers: PeerSet;
  readonly sync: ChainSync;
  readonly now: MillisecondClock;
}

/** Reports on connections and synchronization, for the RPC. */
export class Reports {
  readonly #deps: ReportsDependencies;

  constructor(deps: ReportsDependencies) {
    this.#deps = deps;
  }

  connections(): ConnectionInfo[] {
    const { now, peers, sync } = this.#deps;
    const at = now();
    return [...peers].map((peer) => connectionInfo(peer, sync.stateOf(peer), at));
  }

  syncInfo(): SyncInfo {
    const { chain, sync } = this.#deps;
    const { queue, stripes } = sync;
    return {
      height: chain.height,
      targetHeight: sync.synchronized ? 0 : sync.target,
      nextNeededPruningStripe: stripes.wanted(),
      overview: spanOverview(queue.spans, chain.height),
      peers: this.connections(),
      spans: queue.spans.map((span) => ({
        startBlockHeight: span.start,
        nblocks: span.ids.length,
        connectionId: span.owner,
        rate: Math.round(span.rate),
        speed: Math.round(100 * queue.relativeSpeed(span.owner)),
        size: span.size,
        remoteAddress: formatPeerAddress(span.address),
      })),
    };
  }
}
