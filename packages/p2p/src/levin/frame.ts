/**
 * The Levin frame: a header of 33 bytes in front of every message.
 * Source: bucket_head2 in contrib/epee/include/net/levin_base.h
 */

export const LEVIN_HEADER_SIZE = 33;
export const LEVIN_SIGNATURE = Uint8Array.of(0x01, 0x21, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01);
export const LEVIN_PROTOCOL_VERSION = 1;

/** Most bytes that may be buffered before the handshake. */
export const MAX_PACKET_BEFORE_HANDSHAKE = 262_144;
/** The same once the handshake is done. */
export const MAX_PACKET = 100_000_000;

export const FLAG_REQUEST = 1;
export const FLAG_RESPONSE = 2;
export const FLAG_BEGIN = 4;
export const FLAG_END = 8;

/** Return codes of responses; above 0 is success. */
export const LEVIN_OK = 1;
export const LEVIN_ERROR_CONNECTION_DESTROYED = -3;
export const LEVIN_ERROR_TIMED_OUT = -4;
export const LEVIN_ERROR_NO_HANDLER = -6;

export interface FrameHeader {
  /** Bytes after the header; anything from 2^53 up is reported as Infinity. */
  length: number;
  expectsResponse: boolean;
  command: number;
  returnCode: number;
  flags: number;
  protocolVersion: number;
}

/** A complete message; fragments have been joined. */
export interface LevinMessage {
  readonly kind: 'invoke' | 'notify' | 'response';
  readonly command: number;
  readonly returnCode: number;
  readonly body: Uint8Array;
}

/** The peer sent bytes that break the protocol; the connection must be closed. */
export class LevinError extends Error {
  override readonly name = 'LevinError';
  readonly code = 'malformed';
}

/** Returns whether bytes (of any length) can be the beginning of a frame. */
export function hasSignature(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, LEVIN_SIGNATURE.length);
  for (let i = 0; i < length; i++) if (bytes[i] !== LEVIN_SIGNATURE[i]) return false;
  return true;
}

/** Decodes a header from at least 33 bytes. Throws LevinError when the signature is wrong. */
export function decodeHeader(bytes: Uint8Array): FrameHeader {
  if (!hasSignature(bytes)) throw new LevinError('wrong signature');
  const view = new DataView(bytes.buffer, bytes.byteOffset, LEVIN_HEADER_SIZE);
  const length = view.getBigUint64(8, true);
  return {
    length: length > BigInt(Number.MAX_SAFE_INTEGER) ? Infinity : Number(length),
    expectsResponse: view.getUint8(16) !== 0,
    command: view.getUint32(17, true),
    returnCode: view.getInt32(21, true),
    flags: view.getUint32(25, true),
    protocolVersion: view.getUint32(29, true),
  };
}

function writeHeader(out: Uint8Array, header: Omit<FrameHeader, 'protocolVersion'>): void {
  out.set(LEVIN_SIGNATURE, 0);
  const view = new DataView(out.buffer, out.byteOffset, LEVIN_HEADER_SIZE);
  view.setBigUint64(8, BigInt(header.length), true);
  view.setUint8(16, header.expectsResponse ? 1 : 0);
  view.setUint32(17, header.command, true);
  view.setInt32(21, header.returnCode, true);
  view.setUint32(25, header.flags, true);
  view.setUint32(29, LEVIN_PROTOCOL_VERSION, true);
}

function frame(
  header: Omit<FrameHeader, 'protocolVersion' | 'length'>,
  body: Uint8Array,
): Uint8Array {
  const out = new Uint8Array(LEVIN_HEADER_SIZE + body.length);
  writeHeader(out, { ...header, length: body.length });
  out.set(body, LEVIN_HEADER_SIZE);
  return out;
}

/** Returns the frame of a message: 33 bytes and the body. Only responses carry a `returnCode`. */
function encodeMessageFrame(message: LevinMessage): Uint8Array {
  const response = message.kind === 'response';
  return frame(
    {
      command: message.command,
      expectsResponse: message.kind === 'invoke',
      returnCode: response ? message.returnCode : 0,
      flags: response ? FLAG_RESPONSE : FLAG_REQUEST,
    },
    message.body,
  );
}

/** Returns the frame of a request that expects an answer: 33 bytes of header, then the body. */
export function encodeInvoke(command: number, body: Uint8Array): Uint8Array {
  return encodeMessageFrame({ kind: 'invoke', command, returnCode: 0, body });
}

/** Returns the frame of a message without an answer: 33 bytes of header, then the body. */
export function encodeNotify(command: number, body: Uint8Array): Uint8Array {
  return encodeMessageFrame({ kind: 'notify', command, returnCode: 0, body });
}

/** Returns the 33 bytes of header for a message without an answer whose body has that many bytes. */
export function encodeNotifyHeader(command: number, length: number): Uint8Array {
  const header = new Uint8Array(LEVIN_HEADER_SIZE);
  writeHeader(header, {
    command,
    length,
    expectsResponse: false,
    returnCode: 0,
    flags: FLAG_REQUEST,
  });
  return header;
}

/**
 * Returns the frame of an answer: 33 bytes of header, then the body.
 *
 * @param returnCode above 0 for success
 */
export function encodeResponse(command: number, returnCode: number, body: Uint8Array): Uint8Array {
  return encodeMessageFrame({ kind: 'response', command, returnCode, body });
}

/**
 * Returns a dummy frame of exactly `size` bytes, which receivers discard. Throws RangeError when `size` is below 33.
 * Source: make_noise_notify in contrib/epee/src/levin_base.cpp
 */
export function encodeDummy(size: number): Uint8Array {
  if (size < LEVIN_HEADER_SIZE) throw new RangeError('a dummy has at least a header');
  return frame(
    { command: 0, expectsResponse: false, returnCode: 0, flags: FLAG_BEGIN | FLAG_END },
    new Uint8Array(size - LEVIN_HEADER_SIZE),
  );
}

/**
 * Returns a notification as frames of exactly `size` bytes each: a single frame padded with zeros if it fits, otherwise
 * fragments of a complete inner frame, the last of them padded. Throws RangeError when `size` is below 66.
 * Source: make_fragmented_notify in contrib/epee/src/levin_base.cpp
 */
export function encodePaddedNotify(size: number, command: number, body: Uint8Array): Uint8Array[] {
  if (size < 2 * LEVIN_HEADER_SIZE) throw new RangeError('fragments need room for two headers');
  if (LEVIN_HEADER_SIZE + body.length <= size) {
    const padded = new Uint8Array(size - LEVIN_HEADER_SIZE);
    padded.set(body);
    return [encodeNotify(command, padded)];
  }
  const inner = encodeNotify(command, body);
  const space = size - LEVIN_HEADER_SIZE;
  const fragments: Uint8Array[] = [];
  for (let at = 0; at < inner.length; at += space) {
    const part = new Uint8Array(space);
    part.set(inner.subarray(at, at + space));
    const flags = at === 0 ? FLAG_BEGIN : at + space >= inner.length ? FLAG_END : 0;
    fragments.push(frame({ command: 0, expectsResponse: false, returnCode: 0, flags }, part));
  }
  return fragments;
}
