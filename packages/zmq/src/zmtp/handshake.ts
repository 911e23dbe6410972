import { commandFrame, ZmtpError } from './frame-reader.ts';

/** Bytes of a greeting. */
export const GREETING_BYTES = 64;
const SIGNATURE = Buffer.from([0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f]);
const MAJOR_VERSION = 3;
const MECHANISM_AT = 12;
const MECHANISM_BYTES = 20;

/** The kind of socket that a peer has. */
export type SocketType = 'REQ' | 'DEALER' | 'REP' | 'SUB' | 'XSUB' | 'PUB';

/**
 * Returns the greeting, 64 bytes: version 3.0, without encryption. Peers of later versions adapt to it.
 * Source: https://rfc.zeromq.org/spec/23.
 */
export function greeting(): Buffer {
  const bytes = Buffer.alloc(GREETING_BYTES);
  SIGNATURE.copy(bytes);
  bytes[SIGNATURE.length] = MAJOR_VERSION;
  bytes.write('NULL', MECHANISM_AT, 'latin1');
  return bytes;
}

/** Throws ZmtpError for the greeting (64 bytes) of a peer that speaks another protocol, version or mechanism. */
export function checkGreeting(bytes: Buffer): void {
  const mechanism = bytes.toString('latin1', MECHANISM_AT, MECHANISM_AT + MECHANISM_BYTES);
  // The eight bytes between the two of the signature may hold anything.
  if (bytes[0] !== 0xff || bytes[9] !== 0x7f || (bytes[10] as number) < MAJOR_VERSION) {
    throw new ZmtpError('not ZMTP 3');
  }
  if (mechanism.replace(/\0+$/, '') !== 'NULL') throw new ZmtpError('unknown mechanism');
}

/** Returns the bytes of the command that ends the handshake. */
export function ready(type: SocketType): Buffer {
  const name = Buffer.from('Socket-Type', 'latin1');
  const value = Buffer.from(type, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  return commandFrame('READY', Buffer.concat([Buffer.from([name.length]), name, length, value]));
}

/** Returns the name of a command and the bytes that follow it. Throws ZmtpError when the name is cut off. */
export function parseCommand(body: Buffer): { readonly name: string; readonly data: Buffer } {
  const length = body[0] ?? 0;
  if (length === 0 || body.length < 1 + length) throw new ZmtpError('malformed command');
  return { name: body.toString('latin1', 1, 1 + length), data: body.subarray(1 + length) };
}

/** Returns the socket type in the properties of a READY command, its bytes behind the name. Throws ZmtpError when there is none. */
export function peerType(properties: Buffer): string {
  let at = 0;
  while (at < properties.length) {
    const nameEnd = at + 1 + (properties[at] as number);
    if (nameEnd + 4 > properties.length) break;
    const valueEnd = nameEnd + 4 + properties.readUInt32BE(nameEnd);
    if (valueEnd > properties.length) break;
    const name = properties.toString('latin1', at + 1, nameEnd).toLowerCase();
    if (name === 'socket-type') return properties.toString('latin1', nameEnd + 4, valueEnd);
    at = valueEnd;
  }
  throw new ZmtpError('no socket type');
}
