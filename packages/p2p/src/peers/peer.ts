import { randomBytes } from 'node:crypto';
import { toHex } from '@monero-node/codec';
import type { LevinConnection } from '../levin/connection.ts';
import { formatAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { ConnectionState } from '../types.ts';
import type { PeerChain } from '../sync/peer-chain.ts';

/** A chain request or a block request that has not been answered. */
export type PendingRequest =
  | {
      readonly kind: 'chain';
      /** Highest start height the answer may have. */
      readonly maxStart: number;
      readonly since: number;
    }
  | {
      readonly kind: 'objects';
      readonly start: number;
      /** Ids in hex. */
      readonly ids: readonly string[];
      /** Pruned blocks were asked for. */
      readonly prune?: boolean;
      readonly since: number;
    };

/** One connection and everything known about the node at its other end. */
export class Peer {
  /** 32 hex digits. */
  readonly id = toHex(randomBytes(16));
  readonly connection: LevinConnection;
  readonly address: NetAddress;
  /** The IP address a libp2p peer is reached at. */
  readonly via: NetAddress | undefined;
  readonly incoming: boolean;

  /** 0 until the handshake. */
  peerId = 0n;
  supportFlags = 0;
  rpcPort = 0;
  rpcCreditsPerHash = 0;
  pruningSeed = 0;
  /** One of the first outgoing connections, kept when room is made. */
  anchor = false;

  state: ConnectionState = 'before_handshake';
  /** Chain height the peer claims. */
  height = 0;
  /** Goes down with every broken promise; at -2 the peer is dropped. */
  score = 0;
  /** Addresses told to this peer already. */
  readonly sentAddresses = new Set<string>();
  inTimedSync = false;

  /** The ids the peer gave us, while synchronizing. */
  chain: PeerChain | undefined;
  pending: PendingRequest | undefined;

  constructor(connection: LevinConnection) {
    this.connection = connection;
    this.address = connection.remote;
    this.via = connection.via;
    this.incoming = connection.incoming;
  }

  get handshaked(): boolean {
    return this.peerId !== 0n;
  }

  get synchronizing(): boolean {
    return this.state === 'synchronizing' || this.state === 'standby';
  }

  /** Nothing to download from this peer now. */
  becomeNormal(): void {
    this.state = 'normal';
    this.chain = undefined;
    this.pending = undefined;
  }

  toString(): string {
    return `${formatAddress(this.address)} ${this.incoming ? 'INC' : 'OUT'}`;
  }
}
