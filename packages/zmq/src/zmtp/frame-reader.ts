import type { ZmtpLimits } from './limits.ts';

/** The peer broke the protocol or a limit; its connection is closed. */
export class ZmtpError extends Error {
  override readonly name = 'ZmtpError';
}

/** Bits of a frame's first byte. */
const MORE = 1;
const LONG = 2;
const COMMAND = 4;

/** A message or a command. */
export type Received =
  | { readonly kind: 'message'; readonly frames: readonly Buffer[] }
  | { readonly kind: 'command'; readonly body: Buffer };

const FIRST_BLOCK_BYTES = 8192;
const LONG_HEADER_BYTES = 9;

/**
 * Puts frames together from the bytes of a connection. Unlike libzmq, which bounds one frame at a time, it bounds the
 * whole message: its frames and their bytes. Bytes are copied into a block that grows with what has really arrived, so
 * that neither an announced length nor many tiny packets take memory.
 * Source: https://rfc.zeromq.org/spec/23 (ZMTP 3.0).
 */
export class ZmtpFrameReader {
  readonly #limits: ZmtpLimits;
  readonly #header = Buffer.alloc(LONG_HEADER_BYTES);
  #headerUsed = 0;
  #body = Buffer.alloc(0);
  #bodyUsed = 0;
  /** Bytes of the current frame; undefined while its header is incomplete. */
  #size: number | undefined;
  #frames: Buffer[] = [];
  #messageBytes = 0;

  constructor(limits: ZmtpLimits) {
    this.#limits = limits;
  }

  /** Bytes held of a message that is not complete. */
  get held(): number {
    return this.#messageBytes + this.#bodyUsed;
  }

  /** Whether a message has begun and not ended. */
  get inMessage(): boolean {
    return this.#headerUsed > 0 || this.#frames.length > 0;
  }

  /**
   * Takes bytes from `at` on until something is complete. Returns that, if anything, and the offset of the first byte not
   * taken. Throws ZmtpError for reserved flags and when a limit is exceeded.
   */
  take(
    bytes: Buffer,
    at: number,
  ): { readonly received: Received | undefined; readonly at: number } {
    let next = at;
    while (next < bytes.length || this.#size === 0) {
      if (this.#size === undefined) {
        this.#addHeaderByte(bytes[next++] as number);
        continue;
      }
      next += this.#addBody(bytes, next);
      if (this.#bodyUsed < this.#size) break;
      const received = this.#endFrame();
      if (received !== undefined) return { received, at: next };
    }
    return { received: undefined, at: next };
  }

  #addHeaderByte(byte: number): void {
    this.#header[this.#headerUsed++] = byte;
    const flags = this.#header[0] as number;
    if (flags > 7 || flags === (COMMAND | MORE)) throw new ZmtpError('reserved frame flags');
    const isLong = (flags & LONG) !== 0;
    if (this.#headerUsed < (isLong ? LONG_HEADER_BYTES : 2)) return;
    const size = isLong ? Number(this.#header.readBigUInt64BE(1)) : byte;
    const { commandBytes, messageBytes, frames } = this.#limits;
    const isCommand = (flags & COMMAND) !== 0;
    if (isCommand ? size > commandBytes : this.#messageBytes + size > messageBytes) {
      throw new ZmtpError('message too long');
    }
    if (this.#frames.length >= frames) throw new ZmtpError('too many frames');
    this.#size = size;
    this.#body = Buffer.allocUnsafe(Math.min(size, FIRST_BLOCK_BYTES));
    this.#bodyUsed = 0;
  }

  /** Copies what belongs to the current frame and returns how many bytes that was. */
  #addBody(bytes: Buffer, at: number): number {
    const size = this.#size as number;
    const count = Math.min(bytes.length - at, size - this.#bodyUsed);
    const needed = this.#bodyUsed + count;
    if (needed > this.#body.length) {
      const larger = Buffer.allocUnsafe(Math.min(size, Math.max(needed, this.#body.length * 2)));
      this.#body.copy(larger, 0, 0, this.#bodyUsed);
      this.#body = larger;
    }
    bytes.copy(this.#body, this.#bodyUsed, at, at + count);
    this.#bodyUsed = needed;
    return count;
  }

  #endFrame(): Received | undefined {
    const flags = this.#header[0] as number;
    const body = this.#body;
    this.#headerUsed = 0;
    this.#size = undefined;
    this.#body = Buffer.alloc(0);
    this.#bodyUsed = 0;
    if ((flags & COMMAND) !== 0) return { kind: 'command', body };
    this.#frames.push(body);
    this.#messageBytes += body.length;
    if ((flags & MORE) !== 0) return undefined;
    const frames = this.#frames;
    this.#frames = [];
    this.#messageBytes = 0;
    return { kind: 'message', frames };
  }
}

/** Returns the header of a frame of `size` bytes; `more` says whether another frame of the message follows. */
export function frameHeader(size: number, more: boolean): Buffer {
  const flag = more ? MORE : 0;
  if (size < 256) return Buffer.from([flag, size]);
  const header = Buffer.alloc(LONG_HEADER_BYTES);
  header[0] = flag | LONG;
  header.writeBigUInt64BE(BigInt(size), 1);
  return header;
}

/** Returns the bytes of a message of one frame. */
export function frameBytes(message: Buffer): Buffer {
  return Buffer.concat([frameHeader(message.length, false), message]);
}

/** Returns a command as a frame; `body` has at most 240 bytes. */
export function commandFrame(name: string, body: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from([name.length]), Buffer.from(name, 'latin1'), body]);
  return Buffer.concat([Buffer.from([COMMAND, content.length]), content]);
}
