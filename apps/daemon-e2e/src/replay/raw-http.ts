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
  /** All bytes received, whatever the length header says. */
  readonly body: Buffer;
  /** Whether the server closed the connection after the answer, without being asked to. */
  readonly closedAfter: boolean;
}

const NOTHING: Omit<RawAnswer, 'outcome'> = {
  statusLine: '',
  headers: [],
  body: Buffer.alloc(0),
  closedAfter: false,
};
/** Milliseconds of silence after the announced end of an answer until it is complete. */
const QUIET_MS = 15;
/** Longest pause within an answer, in milliseconds. */
const REST_MS = 30_000;
/** Milliseconds after which a request counts as not answered. */
const SILENCE_MS = 1500;

/** Sends bytes over a new connection and returns exactly what the server sends. */
export function exchange(
  port: number,
  request: Uint8Array,
  options: { patience?: number; bodyless?: boolean } = {},
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
      timer = complete ? wait(QUIET_MS, false) : wait(REST_MS, true);
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
  const length = /^content-length: *(\d+)/im.exec(bytes.subarray(0, end).toString('latin1'))?.[1];
  return bodyless || bytes.length >= end + Number(length ?? 0);
}

function answerOf(bytes: Buffer, ended: boolean, silent: boolean): RawAnswer {
  const end = headEnd(bytes);
  if (end < 0) return { ...NOTHING, outcome: silent ? 'silent' : 'closed' };
  const [statusLine = '', ...lines] = bytes
    .subarray(0, end - 4)
    .toString('latin1')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1)] as const;
  });
  return {
    outcome: 'answered',
    statusLine,
    headers,
    body: bytes.subarray(end),
    closedAfter: ended,
  };
}
