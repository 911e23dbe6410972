import { jest } from '@jest/globals';
import { concatBytes } from '@monero-node/codec';
import { recordedFrame } from '../testing/recorded/frames.ts';
import { FrameReader, LongBody } from './frame-reader.ts';
import {
  LevinError,
  MAX_PACKET,
  MAX_PACKET_BEFORE_HANDSHAKE,
  encodeDummy,
  encodeNotify,
  encodePaddedNotify,
  encodeResponse,
} from './frame.ts';
import type { LevinMessage } from './frame.ts';

function newReader(options: { maxPacket?: number; expected?: number[] } = {}): FrameReader {
  const { maxPacket = MAX_PACKET, expected = [] } = options;
  return new FrameReader({
    maxPacket: () => maxPacket,
    expectedResponse: () => expected.shift(),
  });
}

function readAll(reader: FrameReader, ...chunks: Uint8Array[]): LevinMessage[] {
  const messages: LevinMessage[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let message = reader.next(); message; message = reader.next()) messages.push(message);
  }
  return messages;
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const STREAM = concat(
  recordedFrame('complementRequest').bytes,
  recordedFrame('supportFlagsRequest').bytes,
  recordedFrame('chainEntry').bytes,
  recordedFrame('objects').bytes,
  recordedFrame('fluffyBlock').bytes,
);

test.each([1, 2, 7, 33, 34, 1000, 1_000_000])(
  'finds the same messages in chunks of %i bytes',
  (size) => {
    const messages = readAll(newReader(), ...cut(STREAM, size));
    expect(messages.map(({ kind, command }) => [kind, command])).toEqual([
      ['notify', 2010],
      ['invoke', 1007],
      ['notify', 2007],
      ['notify', 2004],
      ['notify', 2008],
    ]);
    expect(messages[3]?.body).toEqual(recordedFrame('objects').body);
  },
);

test('joins fragments and ignores dummies between them', () => {
  const { body } = recordedFrame('chainEntry');
  const [first, ...rest] = encodePaddedNotify(100, 2007, body);
  const messages = readAll(newReader(), first ?? STREAM, encodeDummy(90), ...rest);
  expect(messages).toEqual([{ kind: 'notify', command: 2007, returnCode: 0, body }]);
});

describe('a long message', () => {
  const body = new Uint8Array(5_000_000).map((_, i) => (i * 31) >> 3);
  const stream = concatBytes(encodeNotify(2002, body), recordedFrame('chainEntry').bytes);

  test.each([9_999, 65_536, 10_000_000])('is joined from chunks of %i bytes', (size) => {
    const [long, next] = readAll(newReader(), ...cut(stream, size));
    expect(Buffer.compare(long?.body ?? stream, body)).toBe(0);
    expect(next?.body).toEqual(recordedFrame('chainEntry').body);
  });

  test('is joined while it arrives, not at its end', () => {
    const reader = newReader();
    const set = jest.spyOn(Uint8Array.prototype, 'set');
    let most = 0;
    for (const chunk of cut(stream, 65_536)) {
      set.mockClear();
      readAll(reader, chunk);
      most = Math.max(
        most,
        set.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0),
      );
    }
    set.mockRestore();
    expect(most).toBeLessThan(1_000_000);
  });

  test('is joined from fragments', () => {
    const fragments = encodePaddedNotify(65_536, 2002, body);
    const [long, next] = readAll(newReader(), ...fragments, recordedFrame('chainEntry').bytes);
    expect(Buffer.compare(long?.body ?? stream, body)).toBe(0);
    expect(next?.command).toBe(2007);
  });

  test('gets no memory for a length that is only promised', () => {
    expect(LongBody.begin(100_000_000, 1_000_000)).toBeUndefined();
    expect(LongBody.begin(100_000_000, 1_600_000)).toBeDefined();
  });
});

test('a first fragment discards an unfinished message', () => {
  const [first] = encodePaddedNotify(100, 2002, new Uint8Array(300));
  const whole = encodePaddedNotify(100, 2009, new Uint8Array(70).fill(9));
  const messages = readAll(newReader(), first ?? STREAM, ...whole);
  expect(messages.map(({ command, body }) => [command, body.length])).toEqual([[2009, 70]]);
});

test('rejects fragments shorter than their inner message', () => {
  const frames = encodePaddedNotify(100, 2002, new Uint8Array(300));
  const [first] = frames;
  const last = frames.at(-1);
  expect(() => readAll(newReader(), first ?? STREAM, last ?? STREAM)).toThrow(/shorter/);
});

test('rejects fragments without room for a header', () => {
  const fragment = encodeDummy(40).slice();
  fragment[25] = 4;
  const last = encodeDummy(40).slice();
  last[25] = 8;
  expect(() => readAll(newReader(), fragment, last)).toThrow(/too short/);
});

test('applies the limit of its command to a fragmented message', () => {
  const frames = encodePaddedNotify(3072, 1003, new Uint8Array(4097));
  expect(() => readAll(newReader(), ...frames)).toThrow(/body of 4097 bytes/);
});

test('rejects a wrong signature after eight bytes', () => {
  const reader = newReader();
  expect(readAll(reader, Uint8Array.of(1, 0x21, 1, 1, 1, 1, 1))).toEqual([]);
  expect(() => readAll(reader, Uint8Array.of(2))).toThrow(LevinError);
});

test('rejects a body above the limit of its command before it arrives', () => {
  const header = encodeNotify(2009, new Uint8Array(1024 * 1024 + 1)).subarray(0, 33);
  expect(() => readAll(newReader(), header)).toThrow(/command 2009/);
  const fits = encodeNotify(2009, new Uint8Array(1024 * 1024)).subarray(0, 33);
  expect(readAll(newReader(), fits)).toEqual([]);
});

test('rejects any body above the packet limit', () => {
  const header = encodeNotify(9999, new Uint8Array(0)).slice();
  header.fill(0xff, 8, 16);
  expect(() => readAll(newReader(), header)).toThrow(/Infinity/);
  const before = newReader({ maxPacket: MAX_PACKET_BEFORE_HANDSHAKE });
  const large = encodeNotify(2004, new Uint8Array(MAX_PACKET_BEFORE_HANDSHAKE + 1));
  expect(() => readAll(before, large.subarray(0, 33))).toThrow(LevinError);
});

test('buffers no more than the packet limit, fragments included', () => {
  const reader = newReader({ maxPacket: 1000 });
  const fragment = encodeDummy(400).slice();
  fragment[25] = 0;
  expect(readAll(reader, fragment, fragment)).toEqual([]); // 734 bytes collected
  expect(() => readAll(reader, fragment)).toThrow(/maximum packet size/);
});

test('reads a trickle of bytes and empty fragments in reasonable time', () => {
  const reader = newReader();
  const empty = encodeDummy(33).slice();
  empty[25] = 0;
  for (let i = 0; i < 20_000; i++) readAll(reader, empty);
  const body = new Uint8Array(100_000).fill(3);
  const messages = readAll(reader, ...cut(encodeNotify(2002, body), 1));
  expect(messages).toEqual([{ kind: 'notify', command: 2002, returnCode: 0, body }]);
});

test('rejects a response that is not due or answers another command', () => {
  const response = encodeResponse(1002, 1, new Uint8Array(0));
  expect(() => readAll(newReader(), response)).toThrow(/without an invoke/);
  expect(() => readAll(newReader({ expected: [1003] }), response)).toThrow(/instead of 1003/);
  expect(readAll(newReader({ expected: [1002] }), response)).toHaveLength(1);
});

test('throws only LevinError for random and zero-filled streams', () => {
  let seed = 12345;
  const random = (): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  for (let round = 0; round < 300; round++) {
    const bytes = STREAM.slice();
    for (let i = 0; i < 5; i++)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    try {
      readAll(newReader({ expected: [1001, 1002] }), ...cut(bytes, 1 + Math.floor(random() * 500)));
    } catch (error) {
      expect(error).toBeInstanceOf(LevinError);
    }
  }
  expect(() => readAll(newReader(), new Uint8Array(64))).toThrow(LevinError);
});
