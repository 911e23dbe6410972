import type { Stream } from '@libp2p/interface';
import type { NetAddress } from '../net/address.ts';
import type { StreamHandlers, TransportStream } from '../transport/transport.ts';

/** Bytes that libp2p may queue for a peer. Our writer stops long before, so this is a safety net. */
const MAX_QUEUED = 8 * 1024 * 1024;
/** Bytes received but not read; the multiplexer's window keeps the peer below this. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** Adapts a libp2p stream to {@link TransportStream}. */
export class Libp2pStream implements TransportStream {
  readonly remote: NetAddress;
  readonly via: NetAddress | undefined;
  readonly #stream: Stream;
  readonly #onGone: () => void;
  #paused = true;
  #blocked = false;
  #closed = false;

  /**
   * @param from the peer at the other end, and the IP address at which it is reached
   * @param onGone called once the stream is closed; its connection is unused from then on
   */
  constructor(
    stream: Stream,
    from: { remote: NetAddress; via: NetAddress | undefined },
    onGone: () => void,
  ) {
    this.remote = from.remote;
    this.via = from.via;
    this.#stream = stream;
    this.#onGone = onGone;
    stream.maxReadBufferLength = MAX_UNREAD;
    stream.maxWriteBufferLength = MAX_QUEUED;
    // Levin closes idle connections itself.
    stream.inactivityTimeout = Infinity;
    if (stream.readStatus === 'readable') stream.pause();
  }

  open(handlers: StreamHandlers): void {
    const stream = this.#stream;
    const close = (): void => {
      if (this.#closed) return;
      this.#closed = true;
      this.#onGone();
      queueMicrotask(() => handlers.onClose());
    };
    if (stream.status !== 'open' && stream.status !== 'closing') return close();
    const goOn = (): void => queueMicrotask(() => this.#goOn(handlers));
    stream.addEventListener('message', ({ data }) => {
      if (!this.#closed) handlers.onData(data.subarray());
    });
    stream.addEventListener('drain', goOn);
    stream.addEventListener('idle', goOn);
    // A peer that closes its sending side is gone, as over TCP.
    stream.addEventListener('end', () => this.end());
    stream.addEventListener('close', close);
    this.resume();
  }

  write(bytes: Uint8Array): boolean {
    if (this.#stream.writeStatus !== 'writable') return true;
    try {
      this.#blocked = !this.#stream.send(bytes);
      return !this.#blocked;
    } catch {
      this.destroy();
      return true;
    }
  }

  pause(): void {
    this.#paused = true;
    if (this.#stream.readStatus === 'readable') this.#stream.pause();
  }

  /** Resumes delivery. Data that has arrived meanwhile is delivered later, never from within this call. */
  resume(): void {
    this.#paused = false;
    queueMicrotask(() => {
      if (!this.#paused && this.#stream.readStatus === 'paused') this.#stream.resume();
    });
  }

  end(): void {
    this.#stream.close().catch(() => this.destroy());
  }

  destroy(): void {
    this.#stream.abort(new Error('the connection was closed'));
  }

  /** A window update lets only a part of the queue go; the writer waits until the queue is empty. */
  #goOn(handlers: StreamHandlers): void {
    const { writableNeedsDrain, writeBufferLength } = this.#stream;
    if (!this.#blocked || this.#closed || writableNeedsDrain || writeBufferLength > 0) return;
    this.#blocked = false;
    handlers.onDrain();
  }
}
