import type { Socket } from 'node:net';
import { TokenBucket, type MillisecondClock } from '@monero-node/base';
import { LineReader, LineTooLongError } from '../protocol/line-reader.ts';
import type { StratumLimits } from '../options.ts';

/** Seconds of unused bytes that a rig saves up. */
const SAVED_SECONDS = 10;
/** Time that the last line gets to leave, milliseconds. */
const LINGER_MS = 1000;

/** What a {@link RigSocket} tells its user. */
export interface RigSocketUser {
  /** Takes a line. */
  readonly onLine: (line: string) => void;
  /** The rig has sent a line that is too long, or too much. */
  readonly onFlood: () => void;
  readonly onClose: () => void;
}

/** The lines of a connection, within bounds. Whatever goes wrong with it ends this connection only. */
export class RigSocket {
  readonly #socket: Socket;
  readonly #limits: StratumLimits;
  readonly #user: RigSocketUser;
  readonly #reader: LineReader;
  readonly #bytes: TokenBucket;
  #isEnding = false;

  /** @param socket already guarded against errors */
  constructor(socket: Socket, limits: StratumLimits, user: RigSocketUser, now: MillisecondClock) {
    this.#socket = socket;
    this.#limits = limits;
    this.#user = user;
    this.#reader = new LineReader(limits.lineBytes);
    this.#bytes = new TokenBucket(limits.bytesPerSecond, now, SAVED_SECONDS);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, limits.idleMs / 10);
    socket.setTimeout(limits.idleMs, () => this.close());
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('close', () => user.onClose());
    socket.resume();
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && !this.#isEnding;
  }

  /** Sends a line; closes the connection when the rig takes none. */
  send(line: string): void {
    if (!this.isOpen) return;
    this.#socket.write(line);
    if (this.#socket.writableLength > this.#limits.unsentBytes) this.close();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Takes nothing more, and closes when what was sent has left, or after a moment. */
  closeGently(): void {
    if (!this.isOpen) return;
    this.#isEnding = true;
    this.#socket.end();
    setTimeout(() => this.close(), LINGER_MS).unref();
  }

  #receive(bytes: Buffer): void {
    if (!this.isOpen) return;
    this.#bytes.take(bytes.length);
    if (this.#bytes.available < 0) {
      this.#user.onFlood();
      return;
    }
    try {
      for (const line of this.#reader.take(bytes)) {
        if (!this.isOpen) return;
        if (line !== '') this.#user.onLine(line);
      }
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      this.#user.onFlood();
    }
  }
}
