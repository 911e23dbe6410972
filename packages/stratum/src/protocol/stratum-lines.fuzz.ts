import { LineReader, LineTooLongError } from './line-reader.ts';
import { readLogin, shownName } from './login.ts';
import { readRequest, RequestError } from './request.ts';

/** Small, so that inputs reach it. */
const LIMIT = 300;
const HASH = 'ab'.repeat(32);
const lines = [
  '{"id":1,"jsonrpc":"2.0","method":"login","params":{"login":"rig1+50000","pass":"x","agent":"XMRig/6.21.0","rigid":"attic","algo":["cn/1","rx/0"]}}',
  '{"id":2,"jsonrpc":"2.0","method":"keepalived","params":{"id":"0011223344556677"}}',
  `{"id":"3","jsonrpc":"2.0","method":"submit","params":{"id":"0011","job_id":"1f","nonce":"01020304","result":"${HASH}"}}`,
  '{"id":null,"method":"getjob","params":{"id":""}}',
];
/** The first byte says how the bytes are cut into chunks. */
export const seeds = [1, 7, 255].flatMap((step) =>
  [lines.join('\n'), ...lines.map((line) => `${line}\r\n`)].map((text) =>
    Buffer.concat([Buffer.of(step), Buffer.from(text)]),
  ),
);
/** Many times the limit. Each line that is refused costs an error with its stack, so 64 KiB of bad lines would seem slow; a server closes at the first. */
export const maxLength = 4096;
export const tokens = ['"method"', '"params"', 'login', 'submit', 'rigid', 'algo', '\n', '\r\n'];

/** Reads lines that arrive in chunks of `step` bytes; returns what they ask for, and 'refused' at the end if one was too long. */
function contents(bytes: Buffer, step: number): string[] {
  const reader = new LineReader(LIMIT);
  const found: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += step) {
      for (const line of reader.take(bytes.subarray(at, at + step))) found.push(asked(line));
      if (reader.held > LIMIT) throw new Error('more is held than a line may have');
    }
  } catch (error) {
    if (!(error instanceof LineTooLongError)) throw error;
    found.push('refused');
  }
  return found;
}

/** Returns the request of a line; a line that is none is refused with RequestError only. */
function asked(line: string): string {
  try {
    const request = readRequest(line);
    if (request.method !== 'login') return JSON.stringify(request);
    const { difficulty, ...names } = readLogin(request.login);
    if (difficulty !== undefined && !(difficulty >= 1 && Number.isSafeInteger(difficulty)))
      throw new Error(`difficulty ${difficulty}`);
    const shown = shownName(names.user);
    if (/[^\x20-\x7e]/.test(shown)) throw new Error('a name that cannot be shown');
    return JSON.stringify({ request, names, difficulty });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.message;
  }
}

/** Lines are read or refused, and are the same however they arrive. */
export function fuzz(input: Uint8Array): void {
  const step = Math.max(1, input[0] ?? 1);
  const bytes = Buffer.from(input.subarray(1));
  if (contents(bytes, step).join() !== contents(bytes, bytes.length + 1).join())
    throw new Error('other contents when read in chunks');
}
