import type { IncomingMessage } from 'node:http';

const NOTHING = new Uint8Array(0);
/** Most parts of one body: a body in chunks of single bytes would take a hundred times its length in memory. */
const MAX_PARTS = 16_384;

/**
 * Reads a request's body unchanged, whatever encoding it declares, and calls `done` with it, once; with undefined when it is
 * longer than `limit` bytes, comes in too many parts or breaks off.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Uint8Array | undefined) => void,
): void {
  let first: Buffer | undefined;
  // Most bodies come in one part.
  let parts: Buffer[] | undefined;
  let length = 0;
  let isOver = false;
  const finish = (body: Uint8Array | undefined): void => {
    if (isOver) return;
    isOver = true;
    // The request lives as long as its answer; the body should not.
    first = undefined;
    parts = undefined;
    done(body);
  };
  request.on('data', (part: Buffer) => {
    if (isOver) return;
    length += part.length;
    if (length > limit || parts?.length === MAX_PARTS) finish(undefined);
    else if (first === undefined) first = part;
    else if (parts === undefined) parts = [first, part];
    else parts.push(part);
  });
  request.on('end', () => {
    finish(parts === undefined ? (first ?? NOTHING) : Buffer.concat(parts));
  });
  // Settles nothing after an orderly end.
  const breakOff = (): void => {
    finish(undefined);
  };
  request.on('close', breakOff);
  request.on('error', breakOff);
}
