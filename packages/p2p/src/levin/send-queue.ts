import type { TokenBucket } from '@monero-node/base';
import type { TransportStream } from '../transport/transport.ts';

/** Most chunks and bytes that may wait for a slow peer; beyond that the peer is dropped. */
const MAX_CHUNKS = 1000;
const MAX_BYTES = 100 * 1024 * 1024;
/** Messages longer than the first number of bytes are cut into chunks of the second, to keep the rate even. */
const SPLIT_ABOVE = 256 * 1024;
const SPLIT_SIZE = 128 * 1024;

/** The bytes that wait to be sent to a peer, at the rate that the limit and the peer allow. */
export class SendQueue {
  readonly #stream: TransportStream;
  readonly #bucket: TokenBucket;
  readonly #onSent: (bytes: number) => void;
  #queue: Uint8Array[] = [];
  #bytes = 0;
  #blocked = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(stream: TransportStream, bucket: TokenBucket, onSent: (bytes: number) => void) {
    this.#stream = stream;
    this.#bucket = bucket;
    this.#onSent = onSent;
  }

  /** Queues a message. Returns false if the queue exceeds its limits; the caller should then drop the peer. */
  push(message: Uint8Array): boolean {
    if (this.#closed) return true;
    const step = message.length > SPLIT_ABOVE ? SPLIT_SIZE : message.length;
    for (let at = 0; at < message.length; at += step)
      this.#queue.push(message.subarray(at, at + step));
    this.#bytes += message.length;
    this.#flush();
    // One large answer does not mean that the peer is not reading.
    return this.#queue.length <= MAX_CHUNKS && this.#bytes <= Math.max(MAX_BYTES, message.length);
  }

  /** Continues to send: the stream can take more. */
  drained(): void {
    this.#blocked = false;
    this.#flush();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#bytes = 0;
  }

  #flush(): void {
    while (!this.#closed && !this.#blocked && this.#timer === undefined) {
      const chunk = this.#queue.shift();
      if (!chunk) return;
      this.#bytes -= chunk.length;
      this.#blocked = !this.#stream.write(chunk);
      this.#onSent(chunk.length);
      const wait = this.#bucket.take(chunk.length);
      if (wait > 0) this.#pause(wait);
    }
  }

  #pause(wait: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, wait);
    this.#timer.unref();
  }
}
