import type { IncomingMessage } from 'node:http';

const NOTHING = new Uint8Array(0);

/**
 * Reads a request's body unchanged, whatever encoding it declares; undefined when it is longer than `limit` bytes or
 * breaks off.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    request.on('data', (part: Buffer) => {
      length += part.length;
      if (length > limit) resolve(undefined);
      else parts.push(part);
    });
    request.once('end', () => {
      if (length > limit) return;
      resolve(parts.length > 1 ? Buffer.concat(parts) : (parts[0] ?? NOTHING));
    });
    // Settles nothing after an orderly end.
    request.once('close', () => {
      resolve(undefined);
    });
    request.once('error', () => {
      resolve(undefined);
    });
  });
}
