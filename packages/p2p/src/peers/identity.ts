import { randomBytes } from 'node:crypto';
import type { ChainForP2p } from '../chain.ts';
import { SUPPORT_FLAG_FLUFFY_BLOCKS } from '../messages/admin.ts';
import type { NodeData } from '../messages/admin.ts';

/** Who we are for our peers. The id is new with every start. */
export class Identity {
  readonly peerId: bigint;
  readonly networkId: Uint8Array;
  readonly #announcedPort: () => number;
  readonly #rpcPort: number;

  constructor(options: {
    chain: ChainForP2p;
    /** The port peers may reach us at; 0 when they cannot. */
    announcedPort: () => number;
    rpcPort: number;
    peerId?: bigint;
  }) {
    this.peerId = options.peerId ?? randomPeerId();
    this.networkId = options.chain.network.networkId;
    this.#announcedPort = options.announcedPort;
    this.#rpcPort = options.rpcPort;
  }

  nodeData(): NodeData {
    return {
      my_port: this.#announcedPort(),
      network_id: this.networkId,
      peer_id: this.peerId,
      rpc_credits_per_hash: 0,
      rpc_port: this.#rpcPort,
      support_flags: SUPPORT_FLAG_FLUFFY_BLOCKS,
    };
  }
}

/** Not 0, which stands for a peer that has not said its id, and not 1, the id of hidden services. */
function randomPeerId(): bigint {
  const id = randomBytes(8).readBigUInt64LE();
  return id > 1n ? id : randomPeerId();
}
