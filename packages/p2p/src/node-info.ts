import type { RateLimits } from './options/adjustable-limits.ts';
import type { BanEntry } from './peers/bans/bans.ts';
import type { PeerEntry } from './peers/list/peer-entry.ts';
import type { ConnectionInfo } from './session/connection-info.ts';
import type { FixedPeerInfo } from './session/fixed-peers.ts';
import type { Reachability } from './session/reachability.ts';
import type { SyncInfo } from './session/reports.ts';
import type { NetStats } from './session/traffic.ts';

/** The questions and commands that the rest of the node uses; `P2pNode` implements them. */
export interface P2pNodeInfo {
  /** The port listened on; 0 while not listening. */
  readonly listenPort: number;
  /** 0 when synchronized or unknown. */
  readonly targetHeight: number;
  /** False also while this node fails to add blocks. */
  readonly synchronized: boolean;
  readonly incomingCount: number;
  readonly outgoingCount: number;
  readonly whiteCount: number;
  readonly grayCount: number;
  readonly netStats: NetStats;
  readonly limits: RateLimits;
  /** Wanted outgoing connections. */
  readonly outPeers: number;
  /** Allowed incoming connections. */
  readonly inPeers: number;
  connections(): ConnectionInfo[];
  /** Returns the state of every exclusive and priority peer. */
  fixedPeers(): FixedPeerInfo[];
  /** Returns whether and when peers have come to this node. */
  reachability(): Reachability;
  syncInfo(): SyncInfo;
  peerLists(): { white: PeerEntry[]; gray: PeerEntry[] };
  bans(): BanEntry[];
  /** Returns what a text names that can be banned: a host, with or without port, or a subnet; undefined for neither. */
  banKind(text: string): 'host' | 'subnet' | undefined;
  /** Returns the seconds left of the ban that covers `host`, or undefined if it is not banned. */
  banned(host: string): number | undefined;
  /** Returns for the owner for how long `host` is banned, and how to lift the ban; undefined if it is not banned. */
  banNotice(host: string): string | undefined;
  /** Bans a host or CIDR subnet. Returns false if the text is neither. */
  ban(host: string, seconds: number): boolean;
  /** Lifts the ban of a host or CIDR subnet. Returns false if there was none. */
  unban(host: string): boolean;
  /** In units of 1024 bytes per second; an absent direction keeps its limit, -1 sets the default. */
  setLimits(limits: Partial<RateLimits>): void;
  /** -1 sets the default of 12. */
  setOutPeers(count: number): void;
  /** -1 is unlimited. */
  setInPeers(count: number): void;
  /** Announces the main-chain block of that height to all peers. */
  relayBlock(height: number): void;
}
