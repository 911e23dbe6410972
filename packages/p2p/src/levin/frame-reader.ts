import { bodyLimit } from '../messages/commands.ts';
import {
  FLAG_BEGIN,
  FLAG_END,
  FLAG_REQUEST,
  FLAG_RESPONSE,
  LEVIN_HEADER_SIZE,
  LEVIN_PROTOCOL_VERSION,
  LevinError,
  decodeHeader,
  hasSignature,
} from './frame.ts';
import type { FrameHeader, LevinMessage } from './frame.ts';

/** A body is long above this number of bytes: joining its chunks at once would hold up the event loop. */
const LONG = 1024 * 1024;
/** The memory for a long body is reserved when this share of its bytes has arrived. */
const SHARE = 1 / 64;

/**
 * The bytes of one long body, joined as they arrive. Its memory is reserved as a whole, but only after a part of it has
 * arrived, and the system provides pages of it only where bytes are written.
 */
export class LongBody {
  readonly #bytes: Uint8Array;
  #filled = 0;

  private constructor(length: number) {
    this.#bytes = new Uint8Array(length);
  }

  /** Returns the body to fill when it is long and enough bytes of it have arrived. */
  static begin(length: number, arrived: number): LongBody | undefined {
    return length > LONG && arrived >= length * SHARE ? new LongBody(length) : undefined;
  }

  get isComplete(): boolean {
    return this.#filled === this.#bytes.length;
  }

  /** All its bytes; valid when it is complete. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Takes bytes from the beginning of a chunk. Returns the rest of the chunk. */
  add(chunk: Uint8Array): Uint8Array {
    const taken = chunk.subarray(0, this.#bytes.length - this.#filled);
    this.#bytes.set(taken, this.#filled);
    this.#filled += taken.length;
    return chunk.subarray(taken.length);
  }
}

const NOTHING = new Uint8Array(0);

/** Questions that a reader asks its connection. */
export interface FrameReaderOptions {
  /** Most bytes that may be buffered, fragments included; the limit rises with the handshake. */
  maxPacket: () => number;
  /** Command of the oldest unanswered invoke; undefined when there is none. */
  expectedResponse: () => number | undefined;
  /** Whether a message of that command is wanted; asked before its body is buffered. */
  accepts?: (command: number) => boolean;
}

/**
 * Cuts a byte stream into Levin messages, joins fragments and drops dummies. A body is buffered in the chunks in which
 * it arrived, a long one is joined as it arrives, so memory grows with the bytes received and never with the length that a
 * header promises.
 * Source: handle_recv in contrib/epee/include/net/levin_protocol_handler_async.h
 */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #header: FrameHeader | undefined;
  /** The body of that header, when it is long; the chunks hold what follows it. */
  #long: LongBody | undefined;
  #fragments: Uint8Array[] = [];
  #fragmentBytes = 0;
  /** The message in the fragments, when it is long; `#fragments` holds what follows it. */
  #longFragmented: LongBody | undefined;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  /** Bytes held for incomplete messages. */
  get buffered(): number {
    return this.#buffered + this.#fragmentBytes;
  }

  /** Whether a header has arrived whose body is not complete. */
  get inBody(): boolean {
    return this.#header !== undefined;
  }

  /** Takes a chunk of the stream, without copying it. Throws LevinError when too much is buffered. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.buffered + chunk.length > this.#options.maxPacket())
      throw new LevinError('maximum packet size exceeded');
    this.#buffered += chunk.length;
    append(this.#chunks, this.#long === undefined ? chunk : this.#long.add(chunk));
  }

  /**
   * Returns the next complete message, or undefined when more bytes are needed. After every push, call it until it
   * returns undefined. Throws LevinError when the connection must be closed.
   */
  next(): LevinMessage | undefined {
    for (;;) {
      this.#header ??= this.#readHeader();
      const header = this.#header;
      if (!header) return undefined;
      const body = this.#takeBody(header.length);
      if (!body) return undefined;
      this.#header = undefined;
      const message =
        header.flags & (FLAG_REQUEST | FLAG_RESPONSE)
          ? toMessage(header, body)
          : this.#addFragment(header.flags, body);
      if (message) return message;
    }
  }

  #takeBody(length: number): Uint8Array | undefined {
    this.#long ??= this.#beginLong(length);
    if (this.#long === undefined) return this.#buffered < length ? undefined : this.#take(length);
    if (!this.#long.isComplete) return undefined;
    const { bytes } = this.#long;
    this.#long = undefined;
    this.#buffered -= length;
    return bytes;
  }

  /** Moves the chunks that have arrived into the memory of a long body. */
  #beginLong(length: number): LongBody | undefined {
    const long = LongBody.begin(length, this.#buffered);
    if (long === undefined) return undefined;
    this.#chunks = moved(this.#chunks, long);
    return long;
  }

  #readHeader(): FrameHeader | undefined {
    if (this.#buffered < LEVIN_HEADER_SIZE) {
      if (this.#buffered >= 8 && !hasSignature(this.#peek(8)))
        throw new LevinError('wrong signature');
      return undefined;
    }
    const header = decodeHeader(this.#take(LEVIN_HEADER_SIZE));
    this.#checkHeader(header);
    return header;
  }

  #checkHeader(header: FrameHeader): void {
    if (isResponse(header)) {
      const expected = this.#options.expectedResponse();
      if (expected === undefined) throw new LevinError('response without an invoke');
      if (expected !== header.command)
        throw new LevinError(`response to ${header.command} instead of ${expected}`);
    }
    if (header.length > Math.min(this.#options.maxPacket(), bodyLimit(header.command)))
      throw new LevinError(`body of ${header.length} bytes for command ${header.command}`);
    if (this.#options.accepts?.(header.command) === false)
      throw new LevinError(`command ${header.command} was not asked for`);
  }

  #addFragment(flags: number, body: Uint8Array): LevinMessage | undefined {
    if (flags & FLAG_BEGIN && flags & FLAG_END) return undefined; // a dummy
    if (flags & FLAG_BEGIN) this.#clearFragments();
    this.#fragmentBytes += body.length;
    append(this.#fragments, this.#longFragmented?.add(body) ?? body);
    this.#longFragmented ??= this.#beginLongFragmented();
    if (!(flags & FLAG_END)) return undefined;
    const joined = this.#longFragmented?.bytes ?? join(this.#fragments, this.#fragmentBytes);
    const arrived = this.#fragmentBytes;
    this.#clearFragments();
    if (arrived < LEVIN_HEADER_SIZE) throw new LevinError('fragments too short for a header');
    const header = decodeHeader(joined);
    if (arrived - LEVIN_HEADER_SIZE < header.length)
      throw new LevinError('fragments shorter than the message in them');
    this.#checkHeader(header);
    return toMessage(header, joined.subarray(LEVIN_HEADER_SIZE, LEVIN_HEADER_SIZE + header.length));
  }

  /** Reserves memory for a long message in fragments, unless its own header promises too much. */
  #beginLongFragmented(): LongBody | undefined {
    const [first = NOTHING] = this.#fragments;
    if (first.length < LEVIN_HEADER_SIZE || !hasSignature(first)) return undefined;
    const { length } = decodeHeader(first);
    if (length > this.#options.maxPacket()) return undefined;
    const long = LongBody.begin(LEVIN_HEADER_SIZE + length, this.#fragmentBytes);
    if (long === undefined) return undefined;
    this.#fragments = moved(this.#fragments, long);
    return long;
  }

  #clearFragments(): void {
    this.#fragments = [];
    this.#fragmentBytes = 0;
    this.#longFragmented = undefined;
  }

  #peek(count: number): Uint8Array {
    const first = this.#chunks[0];
    if (first && first.length >= count) return first.subarray(0, count);
    return join(this.#chunks, this.#buffered).subarray(0, count);
  }

  #take(count: number): Uint8Array {
    if (count === 0) return NOTHING;
    const first = this.#chunks[0];
    if (first && first.length > count) {
      this.#chunks[0] = first.subarray(count);
      this.#buffered -= count;
      return first.subarray(0, count);
    }
    const taken: Uint8Array[] = [];
    let left = count;
    let used = 0;
    while (left > 0) {
      const chunk = this.#chunks[used];
      if (!chunk) throw new RangeError('took more than is buffered');
      if (chunk.length > left) {
        taken.push(chunk.subarray(0, left));
        this.#chunks[used] = chunk.subarray(left);
        left = 0;
      } else {
        taken.push(chunk);
        left -= chunk.length;
        used++;
      }
    }
    this.#chunks.splice(0, used);
    this.#buffered -= count;
    return taken.length === 1 && taken[0] ? taken[0] : join(taken, count);
  }
}

function isResponse(header: FrameHeader): boolean {
  return header.protocolVersion === LEVIN_PROTOCOL_VERSION && (header.flags & FLAG_RESPONSE) !== 0;
}

function toMessage(header: FrameHeader, body: Uint8Array): LevinMessage {
  const kind = isResponse(header) ? 'response' : header.expectsResponse ? 'invoke' : 'notify';
  return { kind, command: header.command, returnCode: header.returnCode, body };
}

/** Chunks of fewer bytes are merged with their neighbors. */
const SMALL_CHUNK = 65_536;

/**
 * Appends to a list of chunks and merges small ones, so that the list cannot take many times the memory of its contents
 * when single bytes trickle in. Every byte is copied a logarithmic number of times.
 */
function append(chunks: Uint8Array[], chunk: Uint8Array): void {
  if (chunk.length === 0) return;
  let last = chunk;
  for (;;) {
    const previous = chunks.at(-1);
    if (!previous || previous.length > last.length || previous.length >= SMALL_CHUNK) break;
    last = join([previous, last], previous.length + last.length);
    chunks.pop();
  }
  chunks.push(last);
}

/** Moves chunks into a long body. Returns those that follow it. */
function moved(chunks: readonly Uint8Array[], long: LongBody): Uint8Array[] {
  const rest: Uint8Array[] = [];
  for (const chunk of chunks) append(rest, long.add(chunk));
  return rest;
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}
