import type { SharedSlice, TokenBucket } from '@monero-node/base';
import type { TransportStream } from '../transport/transport.ts';
import type { LazyMessage } from './lazy-message.ts';

/** Most chunks and bytes that may wait for a slow peer; beyond that the peer is dropped. */
const MAX_CHUNKS = 1000;
const MAX_BYTES = 100 * 1024 * 1024;
/** Messages longer than the first number of bytes are cut into chunks of the second, to keep the rate even. */
const SPLIT_ABOVE = 256 * 1024;
const SPLIT_SIZE = 128 * 1024;
/** With more unsent bytes than this, the peer's next request waits. */
const LOW_BYTES = 1024 * 1024;

export interface SendQueueDependencies {
  readonly stream: TransportStream;
  /** Limits the rate of upload. */
  readonly bucket: TokenBucket;
  /** Shares the time for making lazy messages. */
  readonly turns: SharedSlice;
  readonly onSent: (bytes: number) => void;
  /** Called when the number of bytes in memory has changed. */
  readonly onHeld: (bytes: number) => void;
  /** Called when a lazy message cannot be completed. */
  readonly onError: (error: unknown) => void;
}

/** The bytes that wait to be sent to a peer, at the rate that the limit and the peer allow. */
export class SendQueue {
  readonly #deps: SendQueueDependencies;
  #queue: (Uint8Array | LazyMessage)[] = [];
  /** Bytes in memory. */
  #held = 0;
  /** Bytes of lazy messages that are still to be made. */
  #lazy = 0;
  #isBlocked = false;
  /** Whether the first message is a lazy one that waits for its turn to be made. */
  #awaitsTurn = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #whenLow: (() => void)[] = [];

  constructor(dependencies: SendQueueDependencies) {
    this.#deps = dependencies;
  }

  /** Whether bytes wait for the peer to read. */
  get isWaiting(): boolean {
    return this.#isBlocked || this.#queue.length > 0;
  }

  /** Whether the stream takes no more bytes, because the peer does not read. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Queues a message. Returns false if the queue exceeds its limits; the caller should then drop the peer. */
  push(message: Uint8Array): boolean {
    if (this.#isClosed) return true;
    this.#queue.push(...split(message));
    this.#hold(message.length);
    this.#flush();
    // One large answer does not mean that the peer is not reading.
    return this.#queue.length <= MAX_CHUNKS && this.#held <= Math.max(MAX_BYTES, message.length);
  }

  /** Queues a message that is made as the peer reads it. */
  pushLazy(message: LazyMessage): void {
    if (this.#isClosed) return;
    this.#queue.push(message);
    this.#lazy += message.length;
    this.#flush();
  }

  /** Returns undefined when few bytes are unsent; otherwise a promise that resolves once few are, or on closing. */
  low(): Promise<void> | undefined {
    if (this.#isLow) return undefined;
    return new Promise((resolve) => this.#whenLow.push(resolve));
  }

  /** Continues to send: the stream can take more. */
  drained(): void {
    this.#isBlocked = false;
    this.#flush();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#lazy = 0;
    this.#hold(-this.#held);
    this.#wake();
  }

  get #isLow(): boolean {
    return this.#isClosed || this.#held + this.#lazy <= LOW_BYTES;
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    this.#deps.onHeld(this.#held);
  }

  #wake(): void {
    for (const resolve of this.#whenLow.splice(0)) resolve();
  }

  #flush(): void {
    while (this.#canSend) {
      const [first] = this.#queue;
      if (first === undefined) return;
      if (first instanceof Uint8Array) this.#send(first);
      else this.#makeInTurn(first);
    }
  }

  get #canSend(): boolean {
    return !this.#isClosed && !this.#isBlocked && !this.#awaitsTurn && this.#timer === undefined;
  }

  #send(chunk: Uint8Array): void {
    const { bucket, onSent, stream } = this.#deps;
    this.#queue.shift();
    this.#hold(-chunk.length);
    this.#isBlocked = !stream.write(chunk);
    onSent(chunk.length);
    const wait = bucket.take(chunk.length);
    if (wait > 0) this.#pause(wait);
    if (this.#isLow) this.#wake();
  }

  #makeInTurn(message: LazyMessage): void {
    const turn = this.#deps.turns.enter();
    if (turn === undefined) {
      this.#make(message);
      return;
    }
    this.#awaitsTurn = true;
    void turn.then(() => {
      this.#awaitsTurn = false;
      if (this.#isClosed) return;
      this.#make(message);
      this.#flush();
    });
  }

  /** Puts the next piece of the first message, a lazy one, in front of it. */
  #make(message: LazyMessage): void {
    try {
      const { done, value } = message.pieces.next();
      if (done === true) {
        this.#queue.shift();
        return;
      }
      this.#lazy -= value.length;
      this.#queue.unshift(...split(value));
      this.#hold(value.length);
    } catch (error) {
      this.#deps.onError(error);
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

function split(message: Uint8Array): Uint8Array[] {
  if (message.length <= SPLIT_ABOVE) return [message];
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < message.length; at += SPLIT_SIZE)
    chunks.push(message.subarray(at, at + SPLIT_SIZE));
  return chunks;
}
