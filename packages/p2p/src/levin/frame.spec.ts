import { recordedFrame } from '../testing/recorded/frames.ts';
import {
  LEVIN_HEADER_SIZE,
  LevinError,
  decodeHeader,
  encodeDummy,
  encodeInvoke,
  encodeNotify,
  encodePaddedNotify,
  encodeResponse,
} from './frame.ts';

test.each(['handshakeRequest', 'timedSyncRequest', 'supportFlagsRequest'] as const)(
  'encodes an invoke as monerod does (%s)',
  (name) => {
    const { bytes, body } = recordedFrame(name);
    const header = decodeHeader(bytes);
    expect(header).toMatchObject({ expectsResponse: true, flags: 1, returnCode: 0 });
    expect(encodeInvoke(header.command, body)).toEqual(bytes);
  },
);

test.each(['chainRequest', 'objects', 'fluffyBlock', 'complementRequest'] as const)(
  'encodes a notification as monerod does (%s)',
  (name) => {
    const { bytes, body } = recordedFrame(name);
    const header = decodeHeader(bytes);
    expect(header).toMatchObject({ expectsResponse: false, flags: 1, returnCode: 0 });
    expect(encodeNotify(header.command, body)).toEqual(bytes);
  },
);

test.each(['handshakeResponse', 'pingResponse', 'unknownResponse'] as const)(
  'encodes a response as monerod does (%s)',
  (name) => {
    const { bytes, body } = recordedFrame(name);
    const header = decodeHeader(bytes);
    expect(header).toMatchObject({ expectsResponse: false, flags: 2 });
    expect(header.returnCode).toBe(name === 'unknownResponse' ? -6 : 1);
    expect(encodeResponse(header.command, header.returnCode, body)).toEqual(bytes);
  },
);

test('rejects a wrong signature', () => {
  const bytes = recordedFrame('pingResponse').bytes.slice();
  bytes[7] = 2;
  expect(() => decodeHeader(bytes)).toThrow(LevinError);
});

test('reports a length beyond 2^53 as infinite', () => {
  const bytes = recordedFrame('pingResponse').bytes.slice();
  bytes.fill(0xff, 8, 16);
  expect(decodeHeader(bytes).length).toBe(Infinity);
});

test('a dummy has both fragment flags and zeros', () => {
  const dummy = encodeDummy(100);
  expect(dummy).toHaveLength(100);
  expect(decodeHeader(dummy)).toMatchObject({ command: 0, flags: 12, length: 67 });
  expect(dummy.subarray(LEVIN_HEADER_SIZE).every((byte) => byte === 0)).toBe(true);
  expect(() => encodeDummy(32)).toThrow(RangeError);
});

test('pads a short notification to the requested size', () => {
  const [frame, ...more] = encodePaddedNotify(3072, 2002, Uint8Array.of(1, 2, 3));
  expect(more).toEqual([]);
  expect(frame).toHaveLength(3072);
  expect(decodeHeader(frame ?? new Uint8Array())).toMatchObject({ flags: 1, length: 3039 });
});

test('splits a long notification into fragments of exactly that size', () => {
  const frames = encodePaddedNotify(200, 2002, new Uint8Array(400).fill(7));
  expect(frames.map((frame) => frame.length)).toEqual([200, 200, 200]);
  expect(frames.map((frame) => decodeHeader(frame).flags)).toEqual([4, 0, 8]);
  expect(frames.every((frame) => decodeHeader(frame).command === 0)).toBe(true);
});
