import type { Socket } from 'node:net';

/** First byte of a TLS handshake; no HTTP request begins with it. */
const TLS_HANDSHAKE = 0x16;
/** Time to send a first byte, milliseconds. */
const SILENCE_MS = 10_000;

/**
 * Waits for the first byte of a connection and passes to `decide` whether it begins a TLS handshake. The bytes read
 * are put back. A connection that stays silent, ends or fails before is closed without calling `decide`.
 */
export function sniff(socket: Socket, decide: (isTls: boolean) => void): void {
  const look = (): void => {
    const first = socket.read() as Buffer | null;
    socket.off('timeout', giveUp);
    socket.setTimeout(0);
    if (first === null) {
      giveUp();
      return;
    }
    socket.unshift(first);
    decide(first[0] === TLS_HANDSHAKE);
  };
  const giveUp = (): void => {
    socket.destroy();
  };
  socket.on('error', () => undefined);
  socket.setTimeout(SILENCE_MS);
  socket.once('timeout', giveUp);
  socket.once('readable', look);
}
