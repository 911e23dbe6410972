// cspell:words HMSG
import { monotonicMilliseconds, type MillisecondClock } from '@monero-node/base';
import { BadServerError, checkServerInfo } from './server-info.ts';

/** Longest line, bytes: INFO with many other servers. */
export const MAX_LINE_BYTES = 65_536;
/** Longest message with its headers, bytes; a NATS server takes 1 MiB by default. */
export const MAX_MESSAGE_BYTES = 2 << 20;
/** Most lines that are handed on together. */
const LINES_IN_SLICE = 64;
/** Most lines that a server sends of its own accord (INFO, PING, -ERR) in a period, milliseconds. */
const MAX_CONTROL_LINES = 1000;
const CONTROL_PERIOD_MS = 10_000;

// A server puts two spaces where there is no subject to answer to.
const MESSAGE = /^MSG \S+ \d{1,15}(?: \S*)? (\d{1,9})$/;
const MESSAGE_WITH_HEADERS = /^HMSG \S+ \d{1,15}(?: \S*)? (\d{1,9}) (\d{1,9})$/;
// The text of an error is shown to operators: it has no control characters, which move the cursor of a terminal.
const CONTROL = /^(?:PING|-ERR [!-~\x80-\xff][ -~\x80-\xff]*)$/;
const ANSWER = /^(?:\+OK|PONG)$/;

/**
 * Cuts what a NATS server sends into its lines and messages without keeping the messages, so that the client library gets
 * only bytes that it can take: lines and messages have bounds, and INFO has sound values.
 * Source: the NATS client protocol
 */
export class ServerFrames {
  readonly #now: MillisecondClock;
  /** The beginning of a line whose end has not come. */
  #line: Uint8Array = new Uint8Array();
  /** Bytes of a message that have not come. */
  #left = 0;
  /** Whether the empty line behind a message is next. */
  #endsMessage = false;
  #controlLines = 0;
  #periodEnd = -Infinity;

  constructor(now: MillisecondClock = monotonicMilliseconds) {
    this.#now = now;
  }

  /** Yields the bytes of a chunk in slices of few lines each. Throws BadServerError before the first byte that no server sends. */
  *take(chunk: Uint8Array): Generator<Uint8Array, void> {
    let start = 0;
    let lines = 0;
    for (let at = 0; at < chunk.length;) {
      at = this.#left > 0 ? this.#skip(chunk, at) : this.#takeLine(chunk, at);
      if (++lines < LINES_IN_SLICE) continue;
      yield chunk.subarray(start, at);
      start = at;
      lines = 0;
    }
    if (start < chunk.length) yield chunk.subarray(start);
  }

  #skip(chunk: Uint8Array, at: number): number {
    const end = Math.min(chunk.length, at + this.#left);
    this.#left -= end - at;
    return end;
  }

  #takeLine(chunk: Uint8Array, at: number): number {
    const found = chunk.indexOf(0x0a, at);
    const end = found === -1 ? chunk.length : found + 1;
    if (this.#line.length + end - at > MAX_LINE_BYTES) {
      throw new BadServerError(`the server sent a line of more than ${MAX_LINE_BYTES} bytes`);
    }
    const piece = chunk.subarray(at, end);
    const line = this.#line.length === 0 ? piece : Buffer.concat([this.#line, piece]);
    this.#line = found === -1 ? line : new Uint8Array();
    if (found !== -1) this.#read(Buffer.from(line.buffer, line.byteOffset, line.length));
    return end;
  }

  #read(line: Buffer): void {
    const text = line.toString('latin1');
    if (!text.endsWith('\r\n')) throw new BadServerError('the server sent a line without CR');
    this.#readText(text.slice(0, -2));
  }

  #readText(text: string): void {
    if (this.#endsMessage) {
      if (text !== '') throw new BadServerError('the server sent a message of another length');
      this.#endsMessage = false;
      return;
    }
    const size = messageSize(text);
    if (size !== undefined) {
      this.#left = size;
      this.#endsMessage = true;
    } else if (text.startsWith('INFO ')) {
      this.#countControl();
      checkServerInfo(text.slice(5));
    } else if (CONTROL.test(text)) {
      this.#countControl();
    } else if (!ANSWER.test(text)) {
      throw new BadServerError('the server sent a line that is not of the NATS protocol');
    }
  }

  #countControl(): void {
    const now = this.#now();
    if (now >= this.#periodEnd) {
      this.#periodEnd = now + CONTROL_PERIOD_MS;
      this.#controlLines = 0;
    }
    if (++this.#controlLines > MAX_CONTROL_LINES) {
      throw new BadServerError('the server floods this node with control lines');
    }
  }
}

/** Returns the bytes of the message that a line announces; undefined for other lines. Throws BadServerError. */
function messageSize(text: string): number | undefined {
  const plain = MESSAGE.exec(text);
  const withHeaders = plain ? null : MESSAGE_WITH_HEADERS.exec(text);
  if (!plain && !withHeaders) return undefined;
  const headers = Number(withHeaders?.[1] ?? 0);
  const size = Number(plain?.[1] ?? withHeaders?.[2]);
  if (size > MAX_MESSAGE_BYTES || headers > size) {
    throw new BadServerError(`the server announced a message of ${size} bytes`);
  }
  return size;
}
