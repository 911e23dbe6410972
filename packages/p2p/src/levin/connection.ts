import { monotonicMilliseconds, SharedSlice } from '@monero-node/base';
import type { ByteBudget, Logger, MillisecondClock, Yielder } from '@monero-node/base';
import { privateRange } from '../net/ip-address.ts';
import type { NetAddress } from '../net/address.ts';
import { SpeedMeter } from '../net/speed-meter.ts';
import type { RateLimiters } from '../net/rate-limiters.ts';
import type { TransportStream } from '../transport/transport.ts';
import { FrameReader } from './frame-reader.ts';
import {
  LEVIN_ERROR_CONNECTION_DESTROYED,
  LevinError,
  MAX_PACKET,
  MAX_PACKET_BEFORE_HANDSHAKE,
  encodeInvoke,
  encodeNotify,
  encodeNotifyHeader,
  encodeResponse,
} from './frame.ts';
import type { LevinMessage } from './frame.ts';
import type { LevinAnswer, LevinHandler } from './handler.ts';
import { IdleTimer } from './idle-timer.ts';
import type { LazyMessage } from './lazy-message.ts';
import { MessagePump } from './message-pump.ts';
import { InvokeError, PendingInvokes } from './pending-invokes.ts';
import type { InvokeOptions } from './pending-invokes.ts';
import { ReadFlow } from './read-flow.ts';
import { SendQueue } from './send-queue.ts';
import { StallTimer } from './stall-timer.ts';
import { WorkBudget } from './work-budget.ts';

/** The reason of a connection that the peer has closed. */
export const CLOSED_BY_PEER = 'closed by the peer';

/** Chunks of at least this many bytes show that an answer is on its way and restart its time-out. */
const PROGRESS_BYTES = 512;

export interface LevinConnectionOptions {
  stream: TransportStream;
  incoming: boolean;
  limiters: RateLimiters;
  logger: Logger;
  now: MillisecondClock;
  /** How many times to halve the idle time-out, because many connections come from one host. */
  idleHalvings?: () => number;
  /** Bounds the bytes of incomplete messages that all connections hold together. */
  budget?: ByteBudget;
  /** Bounds the bytes that wait to be sent by all connections together. */
  sendBudget?: ByteBudget;
  /** The CPU time that the messages of this peer may take. */
  work?: WorkBudget;
  /** Shares the event loop between all connections. */
  turns?: SharedSlice;
  /** Called for every transfer, for the totals of the node. */
  onTraffic?: (direction: 'in' | 'out', bytes: number) => void;
}

/**
 * A Levin connection to one peer over any stream.
 * Source: async_protocol_handler in contrib/epee/include/net/levin_protocol_handler_async.h
 */
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
  readonly #now: MillisecondClock;
  readonly #onTraffic: ((direction: 'in' | 'out', bytes: number) => void) | undefined;
  readonly #reader: FrameReader;
  readonly #sendQueue: SendQueue;
  readonly #stall: StallTimer;
  readonly #idle: IdleTimer;
  readonly #pump: MessagePump;
  readonly #work: WorkBudget;
  readonly #turns: SharedSlice;
  readonly #invokes = new PendingInvokes((reason) => this.close(reason));
  readonly #flow: ReadFlow;
  readonly #budget: ByteBudget | undefined;
  #handler: LevinHandler | undefined;
  #maxPacket = MAX_PACKET_BEFORE_HANDSHAKE;
  readonly #ended = new AbortController();
  #closeReason: string | undefined;

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
      expectedResponse: () => this.#invokes.expected,
      accepts: (command) => this.#handler?.accepts?.(command) ?? true,
    });
    this.#flow = new ReadFlow(stream);
    this.#turns = options.turns ?? new SharedSlice();
    this.#work = options.work ?? new WorkBudget(monotonicMilliseconds);
    this.#sendQueue = this.#createSendQueue(options);
    this.#pump = this.#createPump();
    this.#stall = new StallTimer({
      isWaiting: () => this.#sendQueue.isWaiting,
      isBlocked: () => this.#sendQueue.isBlocked,
      hasRequest: () => this.#pump.isHolding,
      onStalled: () => this.close('the peer does not read what it asked for'),
    });
    this.#idle = new IdleTimer({
      local: privateRange(stream.remote) !== undefined,
      halvings: options.idleHalvings ?? (() => 0),
      onIdle: () => this.close('idle for too long'),
    });
  }

  #createSendQueue({ limiters, sendBudget, stream }: LevinConnectionOptions): SendQueue {
    return new SendQueue({
      stream,
      bucket: limiters.up,
      turns: this.#turns,
      onSent: (bytes) => this.#sent(bytes),
      onHeld: (bytes) => {
        if (sendBudget?.set(this, bytes) === false) this.close('too much waits for all peers');
      },
      onError: (error) => this.#fail(error),
    });
  }

  #createPump(): MessagePump {
    return new MessagePump({
      next: () => this.#reader.next(),
      handle: (message) => this.#handle(message),
      flow: this.#flow,
      sendQueue: this.#sendQueue,
      turns: this.#turns,
      budget: this.#work,
      onError: (error) => this.#fail(error),
      onExhausted: () => this.#exhausted(),
    });
  }

  get closed(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Aborted when the connection is closed. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Why the connection was closed; undefined while it is open. */
  get closeReason(): string | undefined {
    return this.#closeReason;
  }

  /** Milliseconds from a request to its answer; undefined before the first answer. */
  get roundTripMs(): number | undefined {
    return this.#invokes.roundTrip.current;
  }

  /** Starts reading. Call it once, right after construction. */
  open(handler: LevinHandler): void {
    this.#handler = handler;
    this.#idle.start();
    this.#stream.open({
      onData: (chunk) => this.#receive(chunk),
      onDrain: () => {
        this.#stall.progressed();
        this.#sendQueue.drained();
      },
      onClose: () => this.#finish(CLOSED_BY_PEER),
    });
  }

  /** Raises the packet limit: the handshake is done, or our own has been sent. */
  allowLargePackets(): void {
    this.#maxPacket = MAX_PACKET;
  }

  /**
   * Sends a request and returns the body of its answer. Rejects with InvokeError. A time-out closes the connection,
   * since answers come in order; after a negative return code the connection stays open.
   */
  invoke(command: number, body: Uint8Array, options: InvokeOptions = {}): Promise<Uint8Array> {
    if (this.closed) {
      const error = new InvokeError(LEVIN_ERROR_CONNECTION_DESTROYED, 'the connection is closed');
      return Promise.reject(error);
    }
    const answer = this.#invokes.add(command, options);
    this.#send(encodeInvoke(command, body));
    return answer;
  }

  /** Sends a message that has no answer. Does nothing once closed. */
  notify(command: number, body: Uint8Array): void {
    this.#send(encodeNotify(command, body));
  }

  /** Sends a message that has no answer, and whose body is made as the peer reads it. Does nothing once closed. */
  notifyLazy(command: number, body: LazyMessage): void {
    if (this.closed) return;
    this.#send(encodeNotifyHeader(command, body.length));
    this.#sendQueue.pushLazy(body);
    if (this.#sendQueue.isWaiting) this.#stall.start();
  }

  /**
   * Returns the yielder for a message that takes long to handle: its slices are shared with all other peers, and this
   * peer pays for them.
   */
  newYielder(): Yielder {
    return this.#turns.begin({}, (milliseconds) => this.#work.spend(milliseconds));
  }

  /** Sends complete frames. */
  sendFrames(frames: readonly Uint8Array[]): void {
    for (const frame of frames) this.#send(frame);
  }

  /** Closes at once. Pending invokes are rejected and `onClose` is called before this returns. */
  close(reason: string): void {
    this.#finish(reason);
  }

  #finish(reason: string): void {
    if (this.closed) return;
    this.#closeReason = reason;
    this.#ended.abort(new Error(reason));
    this.#flow.close();
    this.#pump.stop();
    this.#idle.stop();
    this.#stall.stop();
    this.#sendQueue.close();
    this.#budget?.set(this, 0);
    this.#stream.destroy();
    this.#invokes.rejectAll(reason);
    this.#handler?.onClose(reason);
  }

  #send(message: Uint8Array): void {
    if (this.closed) return;
    if (!this.#sendQueue.push(message)) this.close('the peer does not read what it asked for');
    else if (this.#sendQueue.isWaiting) this.#stall.start();
  }

  #sent(bytes: number): void {
    this.bytesOut += bytes;
    this.lastSend = this.#now();
    this.speedUp.add(bytes);
    this.#stall.progressed();
    this.#idle.sent();
    this.#onTraffic?.('out', bytes);
  }

  #receive(chunk: Uint8Array): void {
    if (this.closed) return;
    this.bytesIn += chunk.length;
    this.lastReceive = this.#now();
    this.speedDown.add(chunk.length);
    this.#onTraffic?.('in', chunk.length);
    this.#idle.received(chunk.length);
    this.#flow.wait(this.#limiters.down.take(chunk.length));
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#pump.run();
    if (!this.closed && this.#budget?.set(this, this.#reader.buffered) === false)
      this.close('too much is being received from all peers');
    if (chunk.length >= PROGRESS_BYTES && this.#reader.inBody) this.#invokes.progressed();
  }

  #handle(message: LevinMessage): Promise<void> | undefined {
    if (message.kind === 'response') {
      this.#invokes.settle(message);
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

  #exhausted(): void {
    const reason = 'it has been asking too much for a minute';
    this.#handler?.onExhausted?.(reason);
    this.close(reason);
  }

  #fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof LevinError))
      this.#logger.error(`failed to handle a message: ${(error as Error)?.stack ?? reason}`);
    this.close(reason);
  }
}
