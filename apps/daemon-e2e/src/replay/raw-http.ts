import { connect } from 'node:net';
import { LOOPBACK } from '../harness/ports.ts';

/** The answer to the bytes of one request. */
export interface RawAnswer {
  /** `closed`: the connection ended without an answer. `silent`: neither an answer nor the end came in time. */
  readonly outcome: 'answered' | 'closed' | 'silent';
  /** For example `HTTP/1.1 200 Ok`. */
  readonly statusLine: string;
  /** Headers in the order sent, with the original spelling and blanks. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** All bytes received, whatever the length header says; the joined chunks of an answer in chunks. */
  readonly body: Buffer;
  /** Whether it came whole in HTTP chunks. */
  readonly isChunked: boolean;
  /** Whether the server closed the connection after the answer, without being asked to. */
  readonly closedAfter: boolean;
}

const NOTHING: Omit<RawAnswer, 'outcome'> = {
  statusLine: '',
  headers: [],
  body: Buffer.alloc(0),
  isChunked: false,
  closedAfter: false,
};
const CHUNKED = /^transfer-encoding: *chunked\r$/im;
/** Milliseconds of silence after the announced end of an answer until it is complete. */
const QUIET_MS = 15;
/** The same where two servers seem to differ in whether they close: a busy machine delays the end of a connection. */
export const UNHURRIED = { quiet: 1000 } as const;
/** Longest pause within an answer, in milliseconds. */
const REST_MS = 30_000;
/** Milliseconds after which a request counts as not answered. */
const SILENCE_MS = 1500;

export interface ExchangeOptions {
  /** Milliseconds to wait for an answer. */
  readonly patience?: number;
  /** Whether the answer has no body, whatever its headers say. */
  readonly bodyless?: boolean;
  /** Milliseconds without anything more after which an answer is complete. */
  readonly quiet?: number;
}

/** Sends bytes over a new connection and returns exactly what the server sends. */
export function exchange(
  port: number,
  request: Uint8Array,
  options: ExchangeOptions = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOOPBACK, port });
    let received = Buffer.alloc(0);
    let done = false;
    const finish = (ended: boolean, silent: boolean): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      socket.destroy();
      resolve(answerOf(received, ended, silent));
    };
    const wait = (ms: number, silent: boolean): NodeJS.Timeout =>
      setTimeout(() => finish(false, silent), ms);
    let timer = wait(options.patience ?? 30_000, true);
    socket.on('connect', () => socket.write(request));
    socket.on('data', (part) => {
      received = Buffer.concat([received, part]);
      clearTimeout(timer);
      const complete = isComplete(received, options.bodyless === true);
      timer = complete ? wait(options.quiet ?? QUIET_MS, false) : wait(REST_MS, true);
    });
    socket.on('end', () => finish(true, false));
    socket.on('close', () => finish(true, false));
    socket.on('error', () => finish(true, false));
  });
}

/** Milliseconds to wait for requests that may leave the server waiting. */
export const IMPATIENT = { patience: SILENCE_MS } as const;

function headEnd(bytes: Buffer): number {
  const at = bytes.indexOf('\r\n\r\n');
  return at < 0 ? -1 : at + 4;
}

function isComplete(bytes: Buffer, bodyless: boolean): boolean {
  const end = headEnd(bytes);
  if (end < 0) return false;
  const head = bytes.subarray(0, end).toString('latin1');
  if (CHUNKED.test(head) && !bodyless) return joinChunks(bytes.subarray(end)).isComplete;
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  return bodyless || bytes.length >= end + Number(length ?? 0);
}

function answerOf(bytes: Buffer, ended: boolean, silent: boolean): RawAnswer {
  const end = headEnd(bytes);
  if (end < 0) return { ...NOTHING, outcome: silent ? 'silent' : 'closed' };
  const head = bytes.subarray(0, end).toString('latin1');
  const [statusLine = '', ...lines] = head.slice(0, -4).split('\r\n');
  const rest = bytes.subarray(end);
  const chunked = CHUNKED.test(head) ? joinChunks(rest) : undefined;
  const isChunked = chunked?.isComplete === true;
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1)] as const;
  });
  return {
    outcome: 'answered',
    statusLine,
    headers,
    body: isChunked ? chunked.body : rest,
    isChunked,
    closedAfter: ended,
  };
}

/** Chunks as sent with `Transfer-Encoding: chunked`. */
interface ChunkedBody {
  readonly body: Buffer;
  /** Whether the last chunk, which is empty, has arrived, and nothing after it. */
  readonly isComplete: boolean;
}

/** Joins the chunks of a body that have arrived. Source: RFC 9112, section 7.1. */
function joinChunks(bytes: Buffer): ChunkedBody {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd < 0 ? NaN : parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (Number.isNaN(size) || bytes.length < end + 2)
      return { body: Buffer.concat(parts), isComplete: false };
    if (size === 0) return { body: Buffer.concat(parts), isComplete: bytes.length === end + 2 };
    parts.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
