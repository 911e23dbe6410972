import { randomBytes } from 'node:crypto';
import type { Network } from '@monero-node/consensus';
import { SUPPORT_FLAG_FLUFFY_BLOCKS } from '../messages/admin.ts';
import type { NodeData } from '../messages/admin.ts';

/** The id of every node in anonymity networks; a random id would make nodes recognizable. */
const HIDDEN_PEER_ID = 1n;

/** Our identity towards the peers of one zone. The public id changes with every start. */
export class Identity {
  readonly peerId: bigint;
  readonly networkId: Uint8Array;
  readonly supportFlags: number;
  readonly #announcedPort: () => number;
  readonly #rpcPort: number;

  constructor(options: {
    network: Network;
    /** The port at which peers can reach us; 0 when they cannot. */
    announcedPort: () => number;
    rpcPort: number;
    peerId?: bigint;
    supportFlags?: number;
  }) {
    this.peerId = options.peerId ?? randomPeerId();
    this.networkId = options.network.networkId;
    this.supportFlags = options.supportFlags ?? SUPPORT_FLAG_FLUFFY_BLOCKS;
    this.#announcedPort = options.announcedPort;
    this.#rpcPort = options.rpcPort;
  }

  /** Returns the identity that all nodes of anonymity networks share. */
  static hidden(network: Network): Identity {
    return new Identity({
      network,
      announcedPort: () => 0,
      rpcPort: 0,
      peerId: HIDDEN_PEER_ID,
      supportFlags: 0,
    });
  }

  nodeData(): NodeData {
    return {
      my_port: this.#announcedPort(),
      network_id: this.networkId,
      peer_id: this.peerId,
      rpc_credits_per_hash: 0,
      rpc_port: this.#rpcPort,
      support_flags: this.supportFlags,
    };
  }
}

/** Returns neither 0, which means that the id is unknown, nor 1, the id of hidden services. */
function randomPeerId(): bigint {
  const id = randomBytes(8).readBigUInt64LE();
  return id > 1n ? id : randomPeerId();
}
