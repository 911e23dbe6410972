import type { ConnectionGater, PrivateKey } from '@libp2p/interface';
import { mdns } from '@libp2p/mdns';
import { noise } from '@libp2p/noise';
import { tcp } from '@libp2p/tcp';
import { yamux } from '@libp2p/yamux';
import { createLibp2p } from 'libp2p';
import type { Libp2p } from 'libp2p';
import { ipOf, isWebSocket } from './addresses.ts';
import type { InboundGate } from './inbound-gate.ts';
import { webSocketTransport } from './web-socket-transport.ts';

/** Window of a stream: the bytes that may be on their way to us unread. */
const STREAM_WINDOW = 4 * 1024 * 1024;
/** The Levin stream, and a few that are being negotiated or closed. */
const MAX_STREAMS = 4;
const MAX_CONNECTIONS = 500;
/** Connections whose handshakes are not over. With libp2p's own 10, as many silent sockets would keep all peers out. */
const MAX_PENDING = 250;

export interface HostOptions {
  readonly key: PrivateKey;
  /** Multiaddresses. */
  readonly listen: readonly string[];
  /** The name under which nodes find each other in the local network; undefined to neither look nor be found. */
  readonly mdnsTag: string | undefined;
  /** Called whenever a peer announces itself there, again and again. */
  readonly onFound: (id: string, addresses: readonly string[]) => void;
  readonly gate: InboundGate;
  /** Milliseconds that an accepted socket has to become a WebSocket. */
  readonly upgradeMs: number;
}

/**
 * Returns a libp2p node that is not started: TCP and WebSocket, encrypted and authenticated with Noise, multiplexed with
 * yamux, and without libp2p's own services.
 */
export function createHost(options: HostOptions): Promise<Libp2p> {
  const { gate, key, listen, mdnsTag, onFound, upgradeMs } = options;
  const streams = { maxInboundStreams: MAX_STREAMS, maxEarlyStreams: MAX_STREAMS };
  return createLibp2p({
    privateKey: key,
    addresses: { listen: [...listen] },
    transports: [tcp(), webSocketTransport({ gate, upgradeMs })],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux({ ...streams, streamOptions: { maxStreamWindowSize: STREAM_WINDOW } })],
    peerDiscovery: mdnsTag === undefined ? [] : [localPeers(mdnsTag, onFound)],
    connectionManager: {
      maxConnections: MAX_CONNECTIONS,
      maxIncomingPendingConnections: MAX_PENDING,
    },
    connectionGater: gater(gate),
    // Peers learn nothing about this node that Levin does not say.
    nodeInfo: { name: 'monero', version: '1', userAgent: 'monero' },
    start: false,
  });
}

/** libp2p's own discovery event also reports peers that connect to us, so the one of mDNS is used. */
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
    // Only addresses from the options and from mDNS are ever dialled.
    denyDialMultiaddr: () => false,
    denyInboundConnection: async (connection) => {
      const from = ipOf(connection.remoteAddr);
      if (!from) return true;
      // The WebSocket listener has counted its sockets already.
      if (isWebSocket(connection.remoteAddr)) {
        if (gate.isBanned(from.host) || !(await gate.handshake(from))) return true;
      } else {
        const leave = gate.enter(from);
        if (!leave) return true;
        connection.addEventListener('close', leave, { once: true });
        if (!(await gate.handshake(from))) return true;
      }
      gate.awaitHandshake(connection, from);
      return false;
    },
    denyInboundUpgradedConnection: (_, connection) => {
      gate.handshakeDone(connection);
      return false;
    },
    denyInboundEncryptedConnection: (id) => gate.isBanned(id.toString()),
  };
}
