import { monotonicMilliseconds, silentLogger, TokenBucket } from '@monero-node/base';
import { encodeMessage } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { LevinConnection } from '../levin/connection.ts';
import { LEVIN_OK } from '../levin/frame.ts';
import { HANDSHAKE_RESPONSE, type HandshakeResponse } from '../messages/admin.ts';
import type { NetAddress } from '../net/address.ts';
import type { TransportStream } from '../transport/transport.ts';
import type { MemoryNetwork } from './memory-network.ts';

/** Returns the answer of a regtest node that knows these peers. */
export function introduction(
  peers: readonly NetAddress[],
  networkId = NETWORKS.regtest.networkId,
): HandshakeResponse {
  return {
    local_peerlist_new: peers.map((adr) => ({
      adr,
      id: 5n,
      last_seen: 0n,
      pruning_seed: 0,
      rpc_credits_per_hash: 0,
      rpc_port: 0,
    })),
    node_data: {
      my_port: 18080,
      network_id: networkId,
      peer_id: 77n,
      rpc_credits_per_hash: 0,
      rpc_port: 18089,
      support_flags: 1,
    },
    payload_data: {
      cumulative_difficulty: 5n,
      cumulative_difficulty_top64: 1n,
      current_height: 9,
      pruning_seed: 0,
      top_id: new Uint8Array(32).fill(3),
      top_version: 16,
    },
  };
}

/** Listens in a network in memory and calls `onStream` with every stream. */
export async function listenAt(
  network: MemoryNetwork,
  { host, port }: NetAddress,
  onStream: (stream: TransportStream) => void,
): Promise<void> {
  await network.machine(host).listen({ host, port }, onStream);
}

/** Answers the handshakes of every stream; an answer as bytes is the body of the response. */
export function answering(
  answer: HandshakeResponse | Uint8Array,
): (stream: TransportStream) => void {
  const body = answer instanceof Uint8Array ? answer : encodeMessage(HANDSHAKE_RESPONSE, answer);
  return (stream) => {
    const bucket = new TokenBucket(1e9, monotonicMilliseconds);
    new LevinConnection({
      stream,
      incoming: true,
      limiters: { up: bucket, down: bucket },
      logger: silentLogger,
      now: monotonicMilliseconds,
    }).open({
      onInvoke: () => ({ returnCode: LEVIN_OK, body }),
      onNotify: () => undefined,
      onClose: () => undefined,
    });
  };
}

/** Sends bytes to whoever connects, and reads nothing. */
export function sending(...chunks: readonly Uint8Array[]): (stream: TransportStream) => void {
  return (stream) => {
    stream.open({ onData: () => undefined, onDrain: () => undefined, onClose: () => undefined });
    for (const chunk of chunks) stream.write(chunk);
  };
}
