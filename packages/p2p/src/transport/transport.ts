import type { NetAddress } from '../net/address.ts';

/** The callbacks of a stream's owner. They are called from the event loop, never re-entrantly. */
export interface StreamHandlers {
  onData(chunk: Uint8Array): void;
  /** `write` may be used again after it returned false. */
  onDrain(): void;
  /** Called exactly once, no matter which side closed the stream, and last. */
  onClose(): void;
}

/** A byte stream to a peer. Bytes are delivered from the moment `open` is called. */
export interface TransportStream {
  readonly remote: NetAddress;
  /** The IP address at which the peer is reached, if `remote` is not one. */
  readonly via?: NetAddress | undefined;
  open(handlers: StreamHandlers): void;
  /** Queues bytes. Returns false if the caller should wait for `onDrain`. Does nothing once closed. */
  write(bytes: Uint8Array): boolean;
  /** Stops the delivery of data; `resume` restarts it. */
  pause(): void;
  resume(): void;
  /** Sends what is queued, then closes. */
  end(): void;
  /** Closes at once. */
  destroy(): void;
}

export interface TransportListener {
  /** The port listened on. */
  readonly port: number;
  /** Stops accepting streams; those already accepted stay open. */
  close(): Promise<void>;
}

/** A way to reach peers: TCP, SOCKS or libp2p. */
export interface Transport {
  /** Connects. Rejects when that fails, takes longer than `timeoutMs` or is aborted. */
  connect(
    address: NetAddress,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<TransportStream>;
  /**
   * Listens and accepts streams. Rejects when the address cannot be listened on. An IPv6 address also accepts IPv4
   * connections unless `ipv6Only` is set.
   */
  listen(
    address: { host: string; port: number; ipv6Only?: boolean },
    onStream: (stream: TransportStream) => void,
  ): Promise<TransportListener>;
}
