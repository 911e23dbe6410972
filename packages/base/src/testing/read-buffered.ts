import type { Readable } from 'node:stream';

/** Returns as text what a stream holds now. From Node 26 on, a call of `read` returns one of the pieces that were written. */
export function readBuffered(stream: Readable): string {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = stream.read() as Buffer | null;
    if (piece === null) return Buffer.concat(pieces).toString();
    pieces.push(piece);
  }
}
