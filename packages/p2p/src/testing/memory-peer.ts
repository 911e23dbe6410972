import { silentLogger, TokenBucket } from '@monero-node/base';
import { LevinConnection } from '../levin/connection.ts';
import { Peer } from '../peers/peer.ts';
import { MemoryStream } from './memory-stream.ts';

/** What a peer in memory may have. */
export interface MemoryPeerOptions {
  readonly anchor?: boolean;
  readonly onClose: (peer: Peer) => void;
}

/** Returns an outgoing peer without a network, and the stream to it. */
export function memoryPeer(
  host: string,
  { onClose, ...options }: MemoryPeerOptions,
): { readonly peer: Peer; readonly stream: MemoryStream } {
  const stream = new MemoryStream({ kind: 'ipv4', host, port: 18080 });
  const bucket = new TokenBucket(1e12, () => Date.now());
  const connection = new LevinConnection({
    stream,
    incoming: false,
    limiters: { up: bucket, down: bucket },
    logger: silentLogger,
    now: () => Date.now(),
  });
  const peer = new Peer(connection, options);
  connection.open({
    onInvoke: () => ({ returnCode: 1, body: new Uint8Array(0) }),
    onNotify: () => {},
    onClose: () => onClose(peer),
  });
  return { peer, stream };
}
