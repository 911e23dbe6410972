import type { Socket } from 'node:net';
import { ipFromBytes, parseIp, plainIp } from '@monero-node/p2p/hosts';

const V1_START = Buffer.from('PROXY ');
/** Longest header of version 1, its end of line included. */
const V1_BYTES = 107;
const V2_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const V2_HEAD_BYTES = 16;
/** Longest header of version 2 that is read; addresses of IP take 36 bytes, the rest is for extensions. */
export const MAX_V2_BYTES = 2048;
/** Bytes of the two addresses and ports, by family and protocol. Source: the PROXY protocol specification, section 2.2. */
const TCP4 = 0x11;
const TCP6 = 0x21;
const IPV4_BYTES = 4;
const IPV6_BYTES = 16;

/** The meaning of the first bytes of a connection. */
export type ProxyHeader =
  /** No header of the PROXY protocol. */
  | { readonly kind: 'none' }
  /** More bytes are needed to tell. */
  | { readonly kind: 'partial' }
  /** The beginning of a header, and then something else. */
  | { readonly kind: 'malformed' }
  /** A header of `length` bytes. `source` is undefined when the proxy speaks for itself. */
  | { readonly kind: 'header'; readonly length: number; readonly source: string | undefined };

const NONE: ProxyHeader = { kind: 'none' };
const PARTIAL: ProxyHeader = { kind: 'partial' };
const MALFORMED: ProxyHeader = { kind: 'malformed' };

/** Reads a header of the PROXY protocol, version 1 (text) or 2 (binary), from the first bytes of a connection. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  if (bytes.length === 0) return PARTIAL;
  for (const [start, parse] of [
    [V1_START, parseV1],
    [V2_START, parseV2],
  ] as const) {
    const length = Math.min(bytes.length, start.length);
    if (!bytes.subarray(0, length).equals(start.subarray(0, length))) continue;
    return length < start.length ? PARTIAL : parse(bytes);
  }
  return NONE;
}

function parseV1(bytes: Buffer): ProxyHeader {
  const line = bytes.subarray(0, V1_BYTES);
  const end = line.indexOf('\r\n');
  if (end === -1) return bytes.length < V1_BYTES ? PARTIAL : MALFORMED;
  const length = end + 2;
  const text = line.toString('latin1', 0, end);
  if (/^PROXY UNKNOWN(?: |$)/.test(text)) return { kind: 'header', length, source: undefined };
  const [, family, source = '', target = '', ...ports] =
    /^PROXY (TCP[46]) (\S+) (\S+) (\d{1,5}) (\d{1,5})$/.exec(text) ?? [];
  const kind = family === 'TCP4' ? 'ipv4' : 'ipv6';
  const ip = source.includes('%') ? undefined : parseIp(source);
  const isRight = ip?.kind() === kind && parseIp(target)?.kind() === kind;
  if (family === undefined || !isRight || ports.some((port) => Number(port) > 65_535))
    return MALFORMED;
  return { kind: 'header', length, source: String(plainIp(ip)) };
}

function parseV2(bytes: Buffer): ProxyHeader {
  if (bytes.length < V2_HEAD_BYTES) return PARTIAL;
  const [versionAndCommand = 0, family = 0] = bytes.subarray(V2_START.length);
  const length = V2_HEAD_BYTES + bytes.readUInt16BE(V2_HEAD_BYTES - 2);
  const command = versionAndCommand & 0xf;
  if (versionAndCommand >> 4 !== 2 || command > 1 || length > MAX_V2_BYTES) return MALFORMED;
  if (bytes.length < length) return PARTIAL;
  const isLocal = command === 0 || (family !== TCP4 && family !== TCP6);
  if (isLocal) return { kind: 'header', length, source: undefined };
  const size = family === TCP4 ? IPV4_BYTES : IPV6_BYTES;
  if (length < V2_HEAD_BYTES + 2 * size + 4) return MALFORMED;
  const address = bytes.subarray(V2_HEAD_BYTES, V2_HEAD_BYTES + size);
  return { kind: 'header', length, source: String(plainIp(ipFromBytes(address))) };
}

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
  /** Reads until the bytes are enough. From Node 26 on, a call of `read` returns one of the pieces that have come. */
  const nextHeader = (): ProxyHeader => {
    for (;;) {
      const more = socket.read() as Buffer | null;
      if (more === null) return PARTIAL;
      bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
      const header = parseProxyHeader(bytes);
      if (header.kind !== 'partial') return header;
    }
  };
  const look = (): void => {
    const header = nextHeader();
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
