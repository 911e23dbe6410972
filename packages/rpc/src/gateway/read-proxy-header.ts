import type { Socket } from 'node:net';
import { parseProxyHeader } from './proxy-header.ts';

/** Time for the first bytes of a connection, milliseconds. */
const SILENCE_MS = 10_000;

/**
 * Reads the header of the PROXY protocol at the beginning of a connection and calls `done` with the address of the client; with
 * undefined when there is no header or the proxy speaks for itself. Bytes behind the header are put back. A connection with
 * a malformed header, and one that stays silent, ends or fails before, is closed without a call.
 */
export function readProxyHeader(socket: Socket, done: (source: string | undefined) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const giveUp = (): void => {
    socket.destroy();
  };
  const look = (): void => {
    const more = socket.read() as Buffer | null;
    if (more === null) return;
    bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
    const header = parseProxyHeader(bytes);
    if (header.kind === 'partial') return;
    socket.off('timeout', giveUp).off('readable', look).off('end', giveUp);
    socket.setTimeout(0);
    if (header.kind === 'malformed') {
      giveUp();
      return;
    }
    const rest = header.kind === 'header' ? bytes.subarray(header.length) : bytes;
    if (rest.length > 0) socket.unshift(rest);
    done(header.kind === 'header' ? header.source : undefined);
  };
  socket.on('error', () => undefined);
  socket.setTimeout(SILENCE_MS);
  socket.once('timeout', giveUp);
  socket.once('end', giveUp);
  socket.on('readable', look);
}
