import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger, ByteBudget } from '@monero-node/base';
import { isLocal, isLoopback } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import { SpeedMeter } from '../net/speed-meter.ts';
import type { RateLimiters } from '../net/token-bucket.ts';
import type { TransportStream } from '../transport/transport.ts';
import { FrameReader } from './frame-reader.ts';
import {
  LEVIN_ERROR_CONNECTION_DESTROYED,
  LEVIN_ERROR_TIMED_OUT,
  LevinError,
  MAX_PACKET,
  MAX_PACKET_BEFORE_HANDSHAKE,
  encodeInvoke,
  encodeNotify,
  encodeResponse,
} from './frame.ts';
import type { LevinMessage } from './frame.ts';
import { IdleTimer } from './idle-timer.ts';
import { SendQueue } from './send-queue.ts';

/** Milliseconds an invoke may stay unanswered unless told otherwise. */
export const INVOKE_TIMEOUT_MS = 120_000;
/** The same for the handshake and support flags. */
export const SHORT_INVOKE_TIMEOUT_MS = 5_000;

/** Chunks at least this long show that an answer is on its way and restart its timer. */
const PROGRESS_BYTES = 512;

/** The answer to an invoke: a return code (above 0 is success) and a body. */
export interface LevinAnswer {
  returnCode: number;
  body: Uint8Array;
}

/** An invoke that was not answered well. `returnCode` is one of the LEVIN_ERROR codes or the peer's. */
export class InvokeError extends Error {
  override readonly name = 'InvokeError';
  readonly returnCode: number;
  constructor(returnCode: number, message: string) {
    super(message);
    this.returnCode = returnCode;
  }
}

/**
 * Who deals with a connection's messages. They are handled one at a time: while a returned promise
 * is pending nothing more is read. So a handler must not wait for an invoke on its own connection.
 */
export interface LevinHandler {
  onInvoke(command: number, body: Uint8Array): LevinAnswer | Promise<LevinAnswer>;
  onNotify(command: number, body: Uint8Array): void | Promise<void>;
  onClose(reason: string): void;
  /** Whether a message of that command is wanted; a refused one closes the link unread. */
  accepts?(command: number): boolean;
}

export interface LevinConnectionOptions {
  stream: TransportStream;
  incoming: boolean;
  limiters: RateLimiters;
  logger: Logger;
  /** Milliseconds. */
  now: () => number;
  /** How many times the idle time-out is to be halved (many sockets from one host). */
  idleHalvings?: () => number;
  /** Bounds what all connections together may hold of incomplete messages. */
  budget?: ByteBudget;
  /** Told of every transfer, for the totals of the node. */
  onTraffic?: (direction: 'in' | 'out', bytes: number) => void;
}

interface PendingInvoke {
  command: number;
  timeoutMs: number;
  timer: NodeJS.Timeout;
  restarts: boolean;
  resolve: (body: Uint8Array) => void;
  reject: (error: InvokeError) => void;
}

/** A Levin link to one peer over any stream. */
export class LevinConnection {
  readonly remote: NetAddress;
  readonly via: NetAddress | undefined;
  readonly incoming: boolean;
  /** Milliseconds. */
  readonly startedAt: number;
  readonly speedDown: SpeedMeter;
  readonly speedUp: SpeedMeter;
  bytesIn = 0;
  bytesOut = 0;
  lastReceive: number;
  lastSend: number;

  readonly #stream: TransportStream;
  readonly #limiters: RateLimiters;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #onTraffic: ((direction: 'in' | 'out', bytes: number) => void) | undefined;
  readonly #reader: FrameReader;
  readonly #sendQueue: SendQueue;
  readonly #idle: IdleTimer;
  readonly #pending: PendingInvoke[] = [];
  readonly #budget: ByteBudget | undefined;
  #handler: LevinHandler | undefined;
  #maxPacket = MAX_PACKET_BEFORE_HANDSHAKE;
  #closed = false;
  #handling = false;
  #paused = false;
  #rateTimer: NodeJS.Timeout | undefined;

  constructor(options: LevinConnectionOptions) {
    const { stream, now } = options;
    this.remote = stream.remote;
    this.via = stream.via;
    this.incoming = options.incoming;
    this.startedAt = this.lastReceive = this.lastSend = now();
    this.speedDown = new SpeedMeter(now);
    this.speedUp = new SpeedMeter(now);
    this.#stream = stream;
    this.#limiters = options.limiters;
    this.#logger = options.logger;
    this.#now = now;
    this.#onTraffic = options.onTraffic;
    this.#budget = options.budget;
    this.#reader = new FrameReader({
      maxPacket: () => this.#maxPacket,
      expectedResponse: () => this.#pending[0]?.command,
      accepts: (command) => this.#handler?.accepts?.(command) ?? true,
    });
    this.#sendQueue = new SendQueue(stream, options.limiters.up, (bytes) => this.#sent(bytes));
    this.#idle = new IdleTimer({
      local: isLoopback(stream.remote) || isLocal(stream.remote),
      halvings: options.idleHalvings ?? (() => 0),
      onIdle: () => this.close('idle for too long'),
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Starts reading. Call once, at once. */
  open(handler: LevinHandler): void {
    this.#handler = handler;
    this.#idle.start();
    this.#stream.open({
      onData: (chunk) => this.#receive(chunk),
      onDrain: () => this.#sendQueue.drained(),
      onClose: () => this.#finish('closed by the peer'),
    });
  }

  /** Raises the packet limit: the handshake is done, or our own has been sent. */
  allowLargePackets(): void {
    this.#maxPacket = MAX_PACKET;
  }

  /**
   * Sends a request and resolves with the body of its answer.
   * Rejects with InvokeError; on a time-out or a negative answer code the caller decides what to
   * do, but a timed out connection is closed, since answers come in order.
   */
  invoke(
    command: number,
    body: Uint8Array,
    options: { timeoutMs?: number; restartOnProgress?: boolean } = {},
  ): Promise<Uint8Array> {
    const timeoutMs = options.timeoutMs ?? INVOKE_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new InvokeError(LEVIN_ERROR_CONNECTION_DESTROYED, 'the connection is closed'));
        return;
      }
      const timer = setTimeout(() => this.#timedOut(pending), timeoutMs);
      timer.unref();
      const restarts = options.restartOnProgress ?? true;
      const pending: PendingInvoke = { command, timeoutMs, timer, restarts, resolve, reject };
      this.#pending.push(pending);
      this.#send(encodeInvoke(command, body));
    });
  }

  /** Sends a message that has no answer. Does nothing once closed. */
  notify(command: number, body: Uint8Array): void {
    this.#send(encodeNotify(command, body));
  }

  /** Sends ready-made frames. */
  sendFrames(frames: readonly Uint8Array[]): void {
    for (const frame of frames) this.#send(frame);
  }

  /** Closes at once. Pending invokes are rejected and `onClose` is called before this returns. */
  close(reason: string): void {
    if (this.#closed) return;
    this.#finish(reason);
  }

  #finish(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#rateTimer);
    this.#idle.stop();
    this.#sendQueue.close();
    this.#budget?.set(this, 0);
    this.#stream.destroy();
    for (const pending of this.#pending.splice(0)) {
      clearTimeout(pending.timer);
      pending.reject(new InvokeError(LEVIN_ERROR_CONNECTION_DESTROYED, reason));
    }
    this.#handler?.onClose(reason);
  }

  #timedOut(pending: PendingInvoke): void {
    const at = this.#pending.indexOf(pending);
    if (at < 0) return;
    this.#pending.splice(at, 1);
    pending.reject(
      new InvokeError(LEVIN_ERROR_TIMED_OUT, `command ${pending.command} was not answered`),
    );
    this.close(`command ${pending.command} was not answered`);
  }

  #send(message: Uint8Array): void {
    if (this.#closed) return;
    if (!this.#sendQueue.push(message)) this.close('the peer does not read what it asked for');
  }

  #sent(bytes: number): void {
    this.bytesOut += bytes;
    this.lastSend = this.#now();
    this.speedUp.add(bytes);
    this.#idle.sent();
    this.#onTraffic?.('out', bytes);
  }

  #receive(chunk: Uint8Array): void {
    if (this.#closed) return;
    this.bytesIn += chunk.length;
    this.lastReceive = this.#now();
    this.speedDown.add(chunk.length);
    this.#onTraffic?.('in', chunk.length);
    this.#idle.received(chunk.length);
    this.#throttle(this.#limiters.down.take(chunk.length));
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (!this.#handling) void this.#handleMessages();
    if (!this.#closed && this.#budget?.set(this, this.#reader.buffered) === false)
      this.close('too much is being received from all peers');
    if (chunk.length >= PROGRESS_BYTES && this.#reader.inBody) this.#restartFrontTimer();
  }

  #restartFrontTimer(): void {
    const front = this.#pending[0];
    if (!front?.restarts) return;
    clearTimeout(front.timer);
    front.timer = setTimeout(() => this.#timedOut(front), front.timeoutMs);
    front.timer.unref();
  }

  async #handleMessages(): Promise<void> {
    this.#handling = true;
    try {
      while (!this.#closed) {
        const message = this.#reader.next();
        if (!message) break;
        const work = this.#handle(message);
        // Whoever waited for a response acts on it before the next message is looked at.
        const turn = message.kind === 'response' ? nextTurn() : undefined;
        if (!work && !turn) continue;
        this.#updateFlow();
        await (work ?? turn);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#handling = false;
      this.#updateFlow();
    }
  }

  #handle(message: LevinMessage): Promise<void> | undefined {
    if (message.kind === 'response') {
      this.#answered(message);
      return undefined;
    }
    const handler = this.#handler;
    if (!handler) return undefined;
    if (message.kind === 'notify') {
      const work = handler.onNotify(message.command, message.body);
      return work ?? undefined;
    }
    const answer = handler.onInvoke(message.command, message.body);
    const respond = ({ returnCode, body }: LevinAnswer): void =>
      this.#send(encodeResponse(message.command, returnCode, body));
    if (answer instanceof Promise) return answer.then(respond);
    respond(answer);
    return undefined;
  }

  #answered(message: LevinMessage): void {
    const pending = this.#pending.shift();
    if (!pending) throw new LevinError('response without an invoke');
    clearTimeout(pending.timer);
    if (message.returnCode > 0) pending.resolve(message.body);
    else
      pending.reject(new InvokeError(message.returnCode, `command ${message.command} was refused`));
  }

  #fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof LevinError))
      this.#logger.error(`failed to handle a message: ${(error as Error)?.stack ?? reason}`);
    this.close(reason);
  }

  #throttle(wait: number): void {
    if (wait <= 0 || this.#rateTimer !== undefined) return;
    this.#rateTimer = setTimeout(() => {
      this.#rateTimer = undefined;
      this.#updateFlow();
    }, wait);
    this.#rateTimer.unref();
    this.#updateFlow();
  }

  /** Reads only while nothing is being handled and the rate allows it. */
  #updateFlow(): void {
    if (this.#closed) return;
    const pause = this.#handling || this.#rateTimer !== undefined;
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.#stream.pause();
    else this.#stream.resume();
  }
}
