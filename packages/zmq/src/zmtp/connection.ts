import type { Socket } from 'node:net';
import { type ByteBudget, monotonicMilliseconds, type Seated } from '@monero-node/base';
import { clientHost, plainHost } from '@monero-node/p2p/hosts';
import { commandFrame, frameHeader, ZmtpFrameReader, ZmtpError } from './frame-reader.ts';
import {
  checkGreeting,
  greeting,
  GREETING_BYTES,
  parseCommand,
  peerType,
  ready,
  type SocketType,
} from './handshake.ts';
import type { ZmtpLimits } from './limits.ts';

/** Bytes handed to the socket at a time. */
const BYTES_PER_WRITE = 1 << 18;
/** Messages and commands without an answer that are taken before the event loop gets a turn. */
const TAKEN_PER_TURN = 256;

/** The side of a server: its type, the peers it serves and how. */
export interface ZmtpRole {
  /** The type of the server's socket. */
  readonly type: SocketType;
  /** Types of the peers it serves. */
  readonly peers: readonly SocketType[];
  /** Takes a message. When it returns a promise, no other is read from this connection until that is settled. */
  readonly onMessage: (
    connection: ZmtpConnection,
    frames: readonly Buffer[],
  ) => Promise<void> | void;
  /** Takes a subscription or its end, as a message has it: one byte for the kind, then a prefix. */
  readonly onSubscription?: (connection: ZmtpConnection, message: Buffer) => void;
  readonly onClose: (connection: ZmtpConnection) => void;
}

export interface ZmtpConnectionOptions {
  readonly role: ZmtpRole;
  readonly limits: ZmtpLimits;
  /** Bytes received and not yet done with, over all connections. */
  readonly received: ByteBudget;
}

/** One peer. Everything that it does wrong, and every failure of its socket, ends this connection only. */
export class ZmtpConnection implements Seated {
  readonly #socket: Socket;
  readonly #address: string | undefined;
  readonly #options: ZmtpConnectionOptions;
  readonly #reader: ZmtpFrameReader;
  #greeting: Buffer | undefined = Buffer.alloc(0);
  #isReady = false;
  #busy = false;
  #since = monotonicMilliseconds();
  /** Received while a message was being served, or too many at once. */
  #waiting: Buffer[] = [];
  /** Messages and commands since the event loop was given a turn. */
  #taken = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: ZmtpConnectionOptions) {
    this.#socket = socket;
    // A closed socket has none.
    this.#address = socket.remoteAddress;
    this.#options = options;
    this.#reader = new ZmtpFrameReader(options.limits);
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => {
      this.#receive(bytes);
    });
    socket.on('close', () => {
      this.#stopTimer();
      options.received.set(this, 0);
      options.role.onClose(this);
    });
    this.#startTimer();
    socket.write(greeting());
  }

  /** All connections of a local socket are one host. */
  get host(): string {
    return clientHost(plainHost(this.#address ?? ''));
  }

  /** 2 until it has shaken hands, 1 while no message is being received or served, 0 else. */
  get idleness(): number {
    if (!this.#isReady) return 2;
    return this.#busy || this.#reader.inMessage ? 0 : 1;
  }

  /** When it was opened, or the last message was done with, milliseconds. */
  get since(): number {
    return this.#since;
  }

  /** Bytes handed over that the peer has not taken. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  /** Address of the peer, without its port; undefined on a local socket. */
  get address(): string | undefined {
    return this.#address;
  }

  /** Bytes sent so far, frame headers included. */
  get bytesSent(): number {
    return this.#socket.bytesWritten;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Closes when what was handed over is sent, or after a while. */
  closeGently(afterMs: number): void {
    this.#socket.end();
    setTimeout(() => {
      this.#socket.destroy();
    }, afterMs).unref();
  }

  /** Hands over a message as one frame with its header; it waits in memory until the peer takes it. */
  sendNow(frame: Buffer): void {
    this.#socket.write(frame);
  }

  /**
   * Sends a message whose last frame is made of `chunks`, as fast as the peer takes it. Resolves when the peer has taken
   * it or the connection is closed, which it is when the peer takes nothing for a while.
   */
  async send(envelope: readonly Buffer[], chunks: readonly Uint8Array[]): Promise<void> {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const head = envelope.flatMap((frame) => [frameHeader(frame.length, true), frame]);
    head.push(frameHeader(size, false));
    if (size <= BYTES_PER_WRITE) {
      await this.#write(Buffer.concat([...head, ...chunks]));
      return;
    }
    await this.#write(Buffer.concat(head));
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length && this.isOpen; at += BYTES_PER_WRITE) {
        await this.#write(chunk.subarray(at, at + BYTES_PER_WRITE));
      }
    }
  }

  /** Resolves when the bytes have left this process or the connection is closed. */
  #write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.close();
      }, this.#options.limits.timeoutMs);
      timer.unref();
      this.#socket.write(bytes, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #receive(bytes: Buffer): void {
    if (this.#busy) {
      this.#waiting.push(bytes);
      return;
    }
    try {
      this.#read(bytes);
    } catch (error) {
      if (!(error instanceof ZmtpError)) throw error;
      this.close();
    }
  }

  #read(bytes: Buffer): void {
    let at = this.#readGreeting(bytes);
    while (at < bytes.length && !this.#busy && this.isOpen) {
      const step = this.#reader.take(bytes, at);
      ({ at } = step);
      if (step.received === undefined) continue;
      if (step.received.kind === 'command') this.#onCommand(step.received.body);
      else this.#onMessage(step.received.frames);
      if (++this.#taken >= TAKEN_PER_TURN && !this.#busy) this.#giveTurn();
    }
    if (at < bytes.length) this.#waiting.push(bytes.subarray(at));
    if (this.#busy || !this.isOpen) return;
    if (!this.#options.received.set(this, this.#reader.held)) this.close();
    if (this.#isReady && !this.#reader.inMessage) this.#stopTimer();
    else this.#startTimer();
  }

  /** Returns the offset after the bytes that belong to the greeting. */
  #readGreeting(bytes: Buffer): number {
    if (this.#greeting === undefined) return 0;
    const count = Math.min(GREETING_BYTES - this.#greeting.length, bytes.length);
    this.#greeting = Buffer.concat([this.#greeting, bytes.subarray(0, count)]);
    if (this.#greeting.length === GREETING_BYTES) {
      checkGreeting(this.#greeting);
      this.#greeting = undefined;
      this.#socket.write(ready(this.#options.role.type));
    }
    return count;
  }

  #onCommand(body: Buffer): void {
    const { role } = this.#options;
    const { name, data } = parseCommand(body);
    if (!this.#isReady) {
      const type = name === 'READY' ? peerType(data) : '';
      if (!role.peers.some((peer) => peer === type)) throw new ZmtpError('not a peer to serve');
      this.#isReady = true;
      return;
    }
    switch (name) {
      case 'PING':
        // Two bytes for the time it is good for, then up to 16 that come back.
        if (this.unsent === 0) this.#socket.write(commandFrame('PONG', data.subarray(2, 18)));
        return;
      case 'SUBSCRIBE':
        role.onSubscription?.(this, Buffer.concat([Buffer.from([1]), data]));
        return;
      case 'CANCEL':
        role.onSubscription?.(this, Buffer.concat([Buffer.from([0]), data]));
    }
  }

  #onMessage(frames: readonly Buffer[]): void {
    if (!this.#isReady) throw new ZmtpError('a message before the handshake');
    this.#stopTimer();
    const served = this.#options.role.onMessage(this, frames);
    if (served === undefined) return;
    this.#busy = true;
    this.#socket.pause();
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
    if (!this.#options.received.set(this, bytes)) {
      this.close();
      return;
    }
    void served
      .catch(() => {
        this.close();
      })
      .finally(() => {
        this.#goOn();
      });
  }

  /** Lets others go on before the next message is taken. */
  #giveTurn(): void {
    this.#taken = 0;
    this.#busy = true;
    this.#socket.pause();
    setImmediate(() => {
      this.#goOn();
    });
  }

  /** Reads what came while a message was being served. A list of one, the rest of many messages, is not copied. */
  #goOn(): void {
    const [first] = this.#waiting;
    const isOne = first !== undefined && this.#waiting.length === 1;
    const waiting = isOne ? first : Buffer.concat(this.#waiting);
    this.#busy = false;
    this.#since = monotonicMilliseconds();
    this.#waiting = [];
    if (!this.isOpen) return;
    this.#options.received.set(this, 0);
    this.#socket.resume();
    this.#receive(waiting);
  }

  /** Runs from the first byte of something to its last; what follows restarts it. */
  #startTimer(): void {
    this.#timer ??= setTimeout(() => {
      this.close();
    }, this.#options.limits.timeoutMs).unref();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
