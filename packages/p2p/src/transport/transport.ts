import type { NetAddress } from '../net/address.ts';

/** What the owner of a stream wants to hear. Each is called on the event loop, never re-entrantly. */
export interface StreamHandlers {
  onData(chunk: Uint8Array): void;
  /** `write` may be used again after it returned false. */
  onDrain(): void;
  /** Called exactly once, whoever closed the stream. Nothing follows it. */
  onClose(): void;
}

/** A byte stream to a peer. Bytes are delivered from the moment `open` is called. */
export interface TransportStream {
  readonly remote: NetAddress;
  /** The IP address underneath, where `remote` is none. */
  readonly via?: NetAddress | undefined;
  open(handlers: StreamHandlers): void;
  /** Queues bytes; false asks the caller to wait for `onDrain`. Ignored once closed. */
  write(bytes: Uint8Array): boolean;
  /** Stops and restarts the delivery of data. */
  pause(): void;
  resume(): void;
  /** Sends what is queued, then closes. */
  end(): void;
  /** Closes at once. */
  destroy(): void;
}

export interface TransportListener {
  /** The port really listened on. */
  readonly port: number;
  /** Stops accepting; streams already accepted go on. */
  close(): Promise<void>;
}

/** A way of reaching peers: TCP, SOCKS, libp2p. */
export interface Transport {
  /**
   * Connects; rejects when that fails, takes longer than `timeoutMs` or is aborted.
   */
  connect(
    address: NetAddress,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<TransportStream>;
  /**
   * Accepts streams. Rejects when the address cannot be listened on. An IPv6 address takes IPv4
   * connections too unless `ipv6Only` is set.
   */
  listen(
    address: { host: string; port: number; ipv6Only?: boolean },
    onStream: (stream: TransportStream) => void,
  ): Promise<TransportListener>;
}
