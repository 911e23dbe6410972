import type { NetAddress } from '../../net/address.ts';

/** A known peer. */
export interface KnownPeer {
  readonly address: NetAddress;
  readonly id: bigint;
  /** Unix seconds; 0 is unknown. */
  readonly lastSeen: number;
  readonly pruningSeed: number;
  readonly rpcPort: number;
  readonly rpcCreditsPerHash: number;
}

/** An outgoing peer of the last run, which is tried first. */
export interface AnchorPeer {
  readonly address: NetAddress;
  readonly id: bigint;
  /** Unix seconds. */
  readonly firstSeen: number;
}
