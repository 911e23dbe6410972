import type { Socket } from 'node:net';

/** Time to send a whole ClientHello, milliseconds. */
const HELLO_MS = 10_000;
/** Clients with post-quantum keys send 2 KB. */
const MAX_HELLO_BYTES = 16 * 1024;
/** Reads that a ClientHello may take: each looks at all bytes so far. */
const MAX_READS = 64;
/** Bytes before the content of a record, and before that of a handshake message. */
const RECORD_HEADER = 5;
const MESSAGE_HEADER = 4;
const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;

/**
 * Returns whether bytes hold a whole ClientHello, the first part of one, or something else. It may be spread over several
 * records. Source: RFC 8446, sections 4 and 5.1.
 */
export function lookForHello(bytes: Buffer): 'whole' | 'part' | 'other' {
  let missing = MESSAGE_HEADER;
  let header = Buffer.alloc(0);
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== HANDSHAKE_RECORD) return 'other';
    if (bytes.length < at + RECORD_HEADER) return 'part';
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0) return 'other';
    const content = bytes.subarray(at + RECORD_HEADER, at + RECORD_HEADER + length);
    if (header.length < MESSAGE_HEADER) {
      header = Buffer.concat([header, content.subarray(0, MESSAGE_HEADER - header.length)]);
      if (header.length > 0 && header[0] !== CLIENT_HELLO) return 'other';
      if (header.length === MESSAGE_HEADER) missing += header.readUIntBE(1, 3);
    }
    missing -= content.length;
    if (missing <= 0 && header.length === MESSAGE_HEADER) return missing === 0 ? 'whole' : 'other';
    if (content.length < length) return 'part';
    at += RECORD_HEADER + length;
  }
  return 'part';
}

/**
 * Reads the ClientHello of a connection and calls `ready` when it is whole, so that all that it costs to answer is spent in
 * one piece, whose time can be measured. `ready` gets the function that puts the bytes back for the TLS server. Until that is called,
 * a client that leaves is noticed. The connection is closed when the bytes are no ClientHello or do not come in time.
 */
export function receiveHello(socket: Socket, ready: (putBack: () => void) => void): void {
  let bytes = Buffer.alloc(0);
  let reads = 0;
  let isWhole = false;
  const end = (): void => {
    socket.destroy();
  };
  const timer = setTimeout(end, HELLO_MS);
  const take = (chunk: Buffer): void => {
    reads++;
    if (reads > MAX_READS || bytes.length + chunk.length > MAX_HELLO_BYTES) return end();
    bytes = Buffer.concat([bytes, chunk]);
    if (isWhole) return;
    const found = lookForHello(bytes);
    if (found === 'other') return end();
    if (found === 'part') return;
    isWhole = true;
    clearTimeout(timer);
    ready(() => {
      socket.off('data', take).off('end', end).off('close', stop);
      socket.pause();
      socket.unshift(bytes);
    });
  };
  const stop = (): void => clearTimeout(timer);
  socket.on('data', take).once('end', end).once('close', stop);
  socket.resume();
}
