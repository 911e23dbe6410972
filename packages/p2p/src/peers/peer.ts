import { randomBytes } from 'node:crypto';
import { toHex } from '@monero-node/codec';
import type { LevinConnection } from '../levin/connection.ts';
import { formatPeerAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';

/** A node's description of itself in its handshake. */
export interface PeerIdentity {
  /** 0 until the handshake. */
  readonly peerId: bigint;
  readonly supportFlags: number;
  readonly rpcPort: number;
  readonly rpcCreditsPerHash: number;
}

const UNKNOWN: PeerIdentity = { peerId: 0n, supportFlags: 0, rpcPort: 0, rpcCreditsPerHash: 0 };

/**
 * One connection and the node at its other end. Synchronization keeps what it knows about a peer's chain in
 * records of its own.
 */
export class Peer {
  /** Id of the connection, 32 hex digits. */
  readonly id = toHex(randomBytes(16));
  readonly connection: LevinConnection;
  readonly address: NetAddress;
  /** The IP address at which a libp2p peer is reached. */
  readonly via: NetAddress | undefined;
  readonly incoming: boolean;
  /** One of the first outgoing connections, which is kept when others are closed to make room. */
  readonly anchor: boolean;
  #identity = UNKNOWN;

  constructor(connection: LevinConnection, options: { anchor?: boolean } = {}) {
    this.connection = connection;
    this.address = connection.remote;
    this.via = connection.via;
    this.incoming = connection.incoming;
    this.anchor = options.anchor ?? false;
  }

  get identity(): PeerIdentity {
    return this.#identity;
  }

  get handshaked(): boolean {
    return this.#identity.peerId !== 0n;
  }

  /** Stores what the peer said about itself; fields that are absent keep their values. */
  identify(said: Partial<PeerIdentity>): void {
    this.#identity = { ...this.#identity, ...said };
  }

  toString(): string {
    return `${formatPeerAddress(this.address)} ${this.incoming ? 'INC' : 'OUT'}`;
  }
}
