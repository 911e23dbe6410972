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
import { bodyLimit } from './limits.ts';

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
 * it arrived, so memory grows with the bytes received and never with the length that a header promises.
 * Source: handle_recv in contrib/epee/include/net/levin_protocol_handler_async.h
 */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #header: FrameHeader | undefined;
  #fragments: Uint8Array[] = [];
  #fragmentBytes = 0;

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
    append(this.#chunks, chunk);
    this.#buffered += chunk.length;
  }

  /**
   * Returns the next complete message, or undefined when more bytes are needed. After every push, call it until it
   * returns undefined. Throws LevinError when the connection must be closed.
   */
  next(): LevinMessage | undefined {
    for (;;) {
      this.#header ??= this.#readHeader();
      const header = this.#header;
      if (!header || this.#buffered < header.length) return undefined;
      const body = this.#take(header.length);
      this.#header = undefined;
      const message =
        header.flags & (FLAG_REQUEST | FLAG_RESPONSE)
          ? toMessage(header, body)
          : this.#addFragment(header.flags, body);
      if (message) return message;
    }
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
    append(this.#fragments, body);
    this.#fragmentBytes += body.length;
    if (!(flags & FLAG_END)) return undefined;
    const joined = join(this.#fragments, this.#fragmentBytes);
    this.#clearFragments();
    if (joined.length < LEVIN_HEADER_SIZE) throw new LevinError('fragments too short for a header');
    const header = decodeHeader(joined);
    if (joined.length - LEVIN_HEADER_SIZE < header.length)
      throw new LevinError('fragments shorter than the message in them');
    this.#checkHeader(header);
    return toMessage(header, joined.subarray(LEVIN_HEADER_SIZE, LEVIN_HEADER_SIZE + header.length));
  }

  #clearFragments(): void {
    this.#fragments = [];
    this.#fragmentBytes = 0;
  }

  #peek(count: number): Uint8Array {
    const first = this.#chunks[0];
    if (first && first.length >= count) return first.subarray(0, count);
    return join(this.#chunks, this.#buffered).subarray(0, count);
  }

  #take(count: number): Uint8Array {
    if (count === 0) return new Uint8Array(0);
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

/** Chunks of fewer bytes are merged with their neighbours. */
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

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const out = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}
