import { concatBytes } from '@monero-node/codec';
import { recordedFrame } from '../testing/recorded/frames.ts';
import { FrameReader } from './frame-reader.ts';
import {
  encodeDummy,
  encodeInvoke,
  encodeNotify,
  encodePaddedNotify,
  encodeResponse,
  LevinError,
  MAX_PACKET_BEFORE_HANDSHAKE,
} from './frame.ts';

const names = ['handshakeRequest', 'timedSyncResponse', 'pingResponse', 'chainRequest'] as const;
const frames = [
  ...names.map((name) => recordedFrame(name).bytes),
  encodeInvoke(1003, new Uint8Array(10)),
  encodeResponse(1003, 1, new Uint8Array(5)),
  encodeDummy(100),
  ...encodePaddedNotify(100, 2002, new Uint8Array(300).fill(3)),
  encodeNotify(2002, new Uint8Array(0)),
];
/** The first byte says how the stream is cut into chunks. */
export const seeds = [1, 2, 7, 33, 34, 255].flatMap((step) => [
  concatBytes(Uint8Array.of(step), ...frames),
  ...frames.map((frame) => concatBytes(Uint8Array.of(step), frame)),
]);
export const tokens = [encodeDummy(33), encodeNotify(2002, new Uint8Array(1))];

/** Reads a stream that arrives in chunks of `step` bytes; returns its messages, and 'refused' at the end if it was. */
function messages(stream: Uint8Array, step: number): string[] {
  const reader = new FrameReader({
    maxPacket: () => MAX_PACKET_BEFORE_HANDSHAKE,
    expectedResponse: () => 1003,
  });
  const found: string[] = [];
  try {
    for (let at = 0; at < stream.length; at += step) {
      reader.push(stream.subarray(at, at + step));
      if (reader.buffered > stream.length) throw new Error('more is buffered than was received');
      for (let next = reader.next(); next !== undefined; next = reader.next()) {
        found.push(`${next.kind} ${next.command} ${next.returnCode} ${next.body.length}`);
      }
    }
  } catch (error) {
    if (!(error instanceof LevinError)) throw error;
    found.push('refused');
  }
  return found;
}

/** A stream is cut into the same messages however it arrives, or is refused with LevinError. */
export function fuzz(input: Uint8Array): void {
  const step = Math.max(1, input[0] ?? 1);
  const stream = input.subarray(1);
  const pieces = messages(stream, step);
  const whole = messages(stream, stream.length + 1);
  // A stream that is refused may be so before or after its last messages.
  if (pieces.join() !== whole.join() && pieces.at(-1) !== 'refused') {
    throw new Error(`${pieces.join()} instead of ${whole.join()}`);
  }
}
