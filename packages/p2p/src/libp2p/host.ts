import type { ConnectionGater, PrivateKey } from '@libp2p/interface';
import { mdns } from '@libp2p/mdns';
import { noise } from '@libp2p/noise';
import { tcp } from '@libp2p/tcp';
import { yamux } from '@libp2p/yamux';
import { createLibp2p } from 'libp2p';
import type { Libp2p } from 'libp2p';
import { ipOf, isWebSocket } from './addresses.ts';
import { guardedWebSockets } from './guarded-web-sockets.ts';
import type { InboundGate } from './inbound-gate.ts';

/** Window of a stream, bytes: what may be on its way to us unread. */
const STREAM_WINDOW = 4 * 1024 * 1024;
/** One stream of ours, and some that are being negotiated or closed. */
const MAX_STREAMS = 4;
const MAX_CONNECTIONS = 500;

export interface HostOptions {
  readonly key: PrivateKey;
  /** Multiaddresses. */
  readonly listen: readonly string[];
  /** What this node is announced as in the local network; undefined to keep silent. */
  readonly mdnsTag: string | undefined;
  /** Told of peers that show themselves there, again and again. */
  readonly onFound: (id: string, addresses: readonly string[]) => void;
  readonly gate: InboundGate;
}

/**
 * A libp2p node that is not started: TCP and WebSocket, encrypted and authenticated with Noise,
 * multiplexed with yamux, without any of libp2p's own services.
 */
export function createHost(options: HostOptions): Promise<Libp2p> {
  const { gate, key, listen, mdnsTag, onFound } = options;
  const streams = { maxInboundStreams: MAX_STREAMS, maxEarlyStreams: MAX_STREAMS };
  return createLibp2p({
    privateKey: key,
    addresses: { listen: [...listen] },
    transports: [tcp(), guardedWebSockets(gate)],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux({ ...streams, streamOptions: { maxStreamWindowSize: STREAM_WINDOW } })],
    peerDiscovery: mdnsTag === undefined ? [] : [localPeers(mdnsTag, onFound)],
    connectionManager: { maxConnections: MAX_CONNECTIONS },
    connectionGater: gater(gate),
    // Nothing of this node is to be learned but what Levin says.
    nodeInfo: { name: 'monero', version: '1', userAgent: 'monero' },
    start: false,
  });
}

/** libp2p's own event of a discovery tells of every new peer, of those that come in too. */
function localPeers(serviceTag: string, onFound: HostOptions['onFound']): ReturnType<typeof mdns> {
  const make = mdns({ serviceTag });
  return (components) => {
    const discovery = make(components);
    discovery.addEventListener('peer', ({ detail: { id, multiaddrs } }) =>
      onFound(id.toString(), multiaddrs.map(String)),
    );
    return discovery;
  };
}

function gater(gate: InboundGate): ConnectionGater {
  return {
    // Which addresses may be dialled is decided by who named them.
    denyDialMultiaddr: () => false,
    denyInboundConnection: (connection) => {
      const from = ipOf(connection.remoteAddr);
      if (!from) return true;
      // Sockets of the WebSocket listener are counted as they come in.
      if (isWebSocket(connection.remoteAddr)) return gate.isBanned(from.host);
      const leave = gate.enter(from);
      if (!leave) return true;
      connection.addEventListener('close', leave, { once: true });
      return false;
    },
    denyInboundEncryptedConnection: (id) => gate.isBanned(id.toString()),
  };
}
