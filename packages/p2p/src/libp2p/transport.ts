import type { Connection, Stream } from '@libp2p/interface';
import type { Logger } from '@monero-node/base';
import type { Libp2p } from 'libp2p';
import { formatPeerAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { Transport, TransportListener, TransportStream } from '../transport/transport.ts';
import { ipOf, peerAddress } from './addresses.ts';
import type { InboundGate } from './inbound-gate.ts';
import type { KnownPeers } from './known-peers.ts';
import { loadLibp2p } from './load.ts';
import { Libp2pStream } from './stream.ts';

/** The libp2p protocol name of the Levin stream. */
const LEVIN_PROTOCOL = '/monero/levin/1';
/** Milliseconds that a socket has to become a WebSocket, and a connection to open the Levin stream. */
const UPGRADE_MS = 10_000;
const OPEN_STREAM_MS = 10_000;
/** Milliseconds that closing may take. */
const STOP_MS = 5_000;

export interface Libp2pTransportOptions {
  /** Directory of the identity key. */
  readonly dataDir: string | undefined;
  /** Multiaddresses to listen on. */
  readonly listen: readonly string[];
  /** Multiaddresses of peers, each with its id. */
  readonly peers: readonly string[];
  /** The name under which nodes find each other in the local network; undefined to neither look nor be found. */
  readonly mdnsTag: string | undefined;
  readonly gate: InboundGate;
  readonly logger: Logger;
  /** Milliseconds that an accepted socket has to become a WebSocket (10,000). */
  readonly upgradeMs?: number;
  /** Milliseconds that a connection has to open its Levin stream (10,000). */
  readonly openStreamMs?: number;
}

/** Carries Levin over libp2p: one stream per connection. The libraries are loaded by `start`. */
export class Libp2pTransport implements Transport {
  readonly #options: Libp2pTransportOptions;
  /** Connections that carry a Levin stream. */
  readonly #carrying = new WeakSet<Connection>();
  #host: Libp2p | undefined;
  #known: KnownPeers | undefined;

  constructor(options: Libp2pTransportOptions) {
    this.#options = options;
  }

  /** Multiaddresses of this node, with its id; empty unless it listens. */
  get addresses(): string[] {
    return this.#host?.getMultiaddrs().map(String) ?? [];
  }

  /** The peers to connect to: those in the options, and those found in the local network. */
  get peers(): NetAddress[] {
    return this.#known?.addresses(this.#host?.peerId.toString()) ?? [];
  }

  /**
   * Begins to listen; libp2p is loaded only now. Rejects with Libp2pOptionError when the address of a peer is malformed or
   * libp2p is not installed, and with Error when an address cannot be listened on or the key cannot be read.
   */
  async start(onStream: (stream: TransportStream) => void): Promise<void> {
    const { dataDir, gate, listen, logger, mdnsTag, upgradeMs = UPGRADE_MS } = this.#options;
    const { createHost, loadIdentityKey, KnownPeers } = await loadLibp2p();
    this.#known = new KnownPeers(this.#options.peers);
    const key = await loadIdentityKey(dataDir);
    const onFound = this.noteFound.bind(this);
    const host = await createHost({ key, listen, mdnsTag, gate, onFound, upgradeMs });
    await host.handle(
      LEVIN_PROTOCOL,
      (stream, connection) => onStream(this.#carry(stream, connection)),
      { maxInboundStreams: 1, maxOutboundStreams: 1 },
    );
    host.addEventListener('connection:open', ({ detail }) => this.#expectStream(detail));
    this.#host = host;
    try {
      await host.start();
    } catch (error) {
      await this.stop();
      throw new Error(`libp2p cannot listen on ${listen.join(', ')}`, { cause: error });
    }
    logger.info(`libp2p: this node is ${host.peerId.toString()}`);
  }

  async stop(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    if (host === undefined) return;
    // libp2p waits for timers that do not keep Node.js running; without a timer of ours the process would exit midway.
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, STOP_MS)));
    await Promise.race([host.stop(), patience]);
    clearTimeout(timer);
  }

  /** Remembers a peer that announced itself in the local network. */
  noteFound(id: string, addresses: readonly string[]): void {
    const isNew = this.#known?.note(id, addresses) === true;
    if (isNew) this.#options.logger.info(`libp2p: found ${id} on the local network`);
  }

  async connect(
    address: NetAddress,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<TransportStream> {
    const host = this.#host;
    const addresses = this.#known?.multiaddrsOf(address.host) ?? [];
    if (host === undefined || addresses.length === 0)
      throw new Error(`${formatPeerAddress(address)} is not known`);
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      // A connection of our own is needed, because the peer may close one that it made.
      const connection = await host.dial(addresses, { signal, force: true });
      return await this.#openStream(connection, address, signal);
    } catch (error) {
      this.#known?.failed(address.host);
      throw error;
    }
  }

  /** Always rejects: libp2p listens from `start` on, at the addresses of its options. */
  listen(): Promise<TransportListener> {
    return Promise.reject(new Error('libp2p listens where its options say'));
  }

  async #openStream(
    connection: Connection,
    wanted: NetAddress,
    signal: AbortSignal,
  ): Promise<TransportStream> {
    try {
      if (connection.remotePeer.toString() !== wanted.host)
        throw new Error('another peer answered');
      return this.#carry(await connection.newStream(LEVIN_PROTOCOL, { signal }), connection);
    } catch (error) {
      connection.abort(error as Error);
      throw error;
    }
  }

  #carry(stream: Stream, connection: Connection): TransportStream {
    this.#carrying.add(connection);
    const from = { remote: peerAddress(connection.remotePeer), via: ipOf(connection.remoteAddr) };
    return new Libp2pStream(stream, from, () => {
      connection.close().catch((error: Error) => connection.abort(error));
    });
  }

  /** Closes a connection on which no stream is opened in time. */
  #expectStream(connection: Connection): void {
    const timer = setTimeout(() => {
      if (!this.#carrying.has(connection)) connection.abort(new Error('no stream was opened'));
    }, this.#options.openStreamMs ?? OPEN_STREAM_MS);
    timer.unref();
    connection.addEventListener('close', () => clearTimeout(timer), { once: true });
  }
}
