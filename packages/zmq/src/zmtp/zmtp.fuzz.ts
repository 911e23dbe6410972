import { unlessRefused } from '@monero-node/codec/testing';
import { commandFrame, frameHeader, ZmtpFrameReader, ZmtpError } from './frame-reader.ts';
import {
  checkGreeting,
  greeting,
  GREETING_BYTES,
  parseCommand,
  peerType,
  ready,
} from './handshake.ts';
import { ZMTP_LIMITS } from './limits.ts';

/** Small, so that inputs reach them. */
const LIMITS = { ...ZMTP_LIMITS, messageBytes: 3000, frames: 8, commandBytes: 300 };

const frame = (size: number, more: boolean) =>
  Buffer.concat([frameHeader(size, more), Buffer.alloc(size, 7)]);
const PING = commandFrame('PING', Buffer.from([0, 10, 1, 2, 3]));
const messages = [frame(0, true), frame(5, false), frame(300, false)];
const streams = [
  greeting(),
  ready('SUB'),
  ready('DEALER').subarray(8),
  Buffer.concat([ready('REQ'), ...messages]),
  Buffer.concat([commandFrame('SUBSCRIBE', Buffer.from('json')), PING, frame(2900, true)]),
];
/** The first byte says how the stream is cut into chunks. */
export const seeds = [1, 2, 7, 255].flatMap((step) =>
  streams.map((stream) => Buffer.concat([Buffer.of(step), stream])),
);
export const tokens = [
  ...['READY', 'Socket-Type', 'Identity', 'SUBSCRIBE', 'CANCEL', 'PING', 'NULL', 'PLAIN'],
  ...[frameHeader(256, true), frameHeader(2 ** 40, false), frame(0, true), frame(0, false), PING],
];

/** Reads frames that arrive in chunks of `step` bytes; returns what they hold, and 'refused' at the end if they were. */
function contents(stream: Buffer, step: number): string[] {
  const reader = new ZmtpFrameReader(LIMITS);
  const found: string[] = [];
  const read = (chunk: Buffer): true => {
    for (let at = 0; at < chunk.length;) {
      const { received, at: next } = reader.take(chunk, at);
      if (next <= at) throw new Error('no byte was taken');
      at = next;
      if (received?.kind === 'message') {
        found.push(received.frames.map((bytes) => bytes.toString('latin1')).join('|'));
      } else if (received !== undefined) {
        const { name, data } = parseCommand(received.body);
        found.push(`${name} ${name === 'READY' ? peerType(data) : data.toString('latin1')}`);
      }
    }
    return true;
  };
  for (let at = 0; at < stream.length; at += step) {
    if (unlessRefused(() => read(stream.subarray(at, at + step)), ZmtpError) === undefined) {
      return [...found, 'refused'];
    }
    if (reader.held > stream.length) throw new Error('more is held than was received');
  }
  return found;
}

/** A greeting, properties and frames are read or refused with ZmtpError; frames are the same however they arrive. */
export function fuzz(input: Uint8Array): void {
  const step = Math.max(1, input[0] ?? 1);
  const stream = Buffer.from(input.subarray(1));
  if (stream.length >= GREETING_BYTES) {
    unlessRefused(() => checkGreeting(stream.subarray(0, GREETING_BYTES)), ZmtpError);
  }
  unlessRefused(() => peerType(stream), ZmtpError);
  const pieces = contents(stream, step);
  const whole = contents(stream, stream.length + 1);
  if (pieces.join() !== whole.join()) throw new Error('other contents when read in chunks');
}
