import type { Socket } from 'node:net';
import { TokenBucket, type MillisecondClock, type SharedSlice } from '@monero-node/base';
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

/** What all connections of a server share. */
export interface RigSocketContext {
  readonly limits: StratumLimits;
  /** The time of the event loop that lines of all rigs get together; each line takes a turn, so that no rig waits for all lines of another. */
  readonly turns: SharedSlice;
  /** Milliseconds. */
  readonly now: MillisecondClock;
}

/** The lines of a connection, within bounds. Whatever goes wrong with it ends this connection only. */
export class RigSocket {
  readonly #socket: Socket;
  readonly #limits: StratumLimits;
  readonly #turns: SharedSlice;
  readonly #user: RigSocketUser;
  readonly #reader: LineReader;
  readonly #bytes: TokenBucket;
  #isEnding = false;
  #isGathering = false;

  /** @param socket already guarded against errors */
  constructor(socket: Socket, user: RigSocketUser, { limits, turns, now }: RigSocketContext) {
    this.#socket = socket;
    this.#limits = limits;
    this.#turns = turns;
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
    this.#gather();
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

  /** Lines of one round of the event loop leave together: a write of its own for each is most of the cost of a flood. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#isGathering = false;
      this.#socket.uncork();
    });
  }

  #receive(bytes: Buffer): void {
    if (!this.isOpen) return;
    this.#bytes.take(bytes.length);
    if (this.#bytes.available < 0) this.#user.onFlood();
    else this.#handle(this.#reader.take(bytes));
  }

  /** Handles lines, each in its turn. Nothing more is read while one waits. */
  #handle(lines: Iterator<string, void>): void {
    for (let line = this.#next(lines); line !== undefined; line = this.#next(lines)) {
      const inTurn = line;
      const turn = this.#turns.enter();
      if (turn !== undefined) {
        this.#socket.pause();
        void turn.then(() => {
          if (this.isOpen) this.#user.onLine(inTurn);
          this.#handle(lines);
        });
        return;
      }
      this.#user.onLine(inTurn);
    }
    this.#socket.resume();
  }

  /** Returns the next line; undefined when there is none, or the connection ends. */
  #next(lines: Iterator<string, void>): string | undefined {
    try {
      if (!this.isOpen) return undefined;
      const { value, done } = lines.next();
      return done === true ? undefined : value;
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      this.#user.onFlood();
    }
    return undefined;
  }
}
