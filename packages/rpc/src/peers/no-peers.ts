import { parseIp } from '@monero-node/p2p/hosts';
import type { P2pNodeInfo, RateLimits } from '@monero-node/p2p';

/** The peer-to-peer part of a node without one: no peers, no bans, always synchronized. */
export class NoPeers implements P2pNodeInfo {
  readonly listenPort = 0;
  readonly targetHeight = 0;
  readonly synchronized = true;
  readonly incomingCount = 0;
  readonly outgoingCount = 0;
  readonly whiteCount = 0;
  readonly grayCount = 0;
  readonly netStats;
  readonly limits: RateLimits = { up: 0, down: 0 };
  readonly outPeers = 0;
  readonly inPeers = 0;
  readonly #height: () => number;

  /**
   * @param height returns the number of blocks
   * @param startTime Unix seconds
   */
  constructor(height: () => number, startTime: number) {
    this.#height = height;
    this.netStats = { startTime, bytesIn: 0, bytesOut: 0, packetsIn: 0, packetsOut: 0 };
  }

  connections(): [] {
    return [];
  }

  fixedPeers(): [] {
    return [];
  }

  syncInfo(): ReturnType<P2pNodeInfo['syncInfo']> {
    const height = this.#height();
    const nothing = { targetHeight: 0, nextNeededPruningStripe: 0, overview: '[]' };
    return { height, ...nothing, peers: [], spans: [] };
  }

  reachability(): ReturnType<P2pNodeInfo['reachability']> {
    return { closedBy: '--offline', port: 0, networks: [], ownAddresses: [], mapping: undefined };
  }

  peerLists(): { white: []; gray: [] } {
    return { white: [], gray: [] };
  }

  bans(): [] {
    return [];
  }

  banKind(text: string): 'host' | undefined {
    return parseIp(text) === undefined ? undefined : 'host';
  }

  banned(): undefined {
    return undefined;
  }

  banNotice(): undefined {
    return undefined;
  }

  ban(): boolean {
    return false;
  }

  unban(): boolean {
    return false;
  }

  setLimits(): void {}

  setOutPeers(): void {}

  setInPeers(): void {}

  relayBlock(): void {}
}
