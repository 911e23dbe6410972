import type { IncomingMessage } from 'node:http';

const NOTHING = new Uint8Array(0);
/** Most parts of one body: a body in chunks of single bytes would take a hundred times its length in memory. */
const MAX_PARTS = 16_384;

/**
 * Reads a request's body unchanged, whatever encoding it declares; undefined when it is longer than `limit` bytes, comes
 * in too many parts or breaks off.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    let refused = false;
    request.on('data', (part: Buffer) => {
      length += part.length;
      if (refused || length > limit || parts.length === MAX_PARTS) {
        refused = true;
        parts.length = 0;
        resolve(undefined);
      } else {
        parts.push(part);
      }
    });
    request.on('end', () => {
      if (refused) return;
      // The request lives as long as its answer; the body should not.
      const body = parts.length > 1 ? Buffer.concat(parts) : (parts[0] ?? NOTHING);
      parts.length = 0;
      resolve(body);
    });
    // Settles nothing after an orderly end.
    const breakOff = (): void => {
      resolve(undefined);
    };
    request.on('close', breakOff);
    request.on('error', breakOff);
  });
}
