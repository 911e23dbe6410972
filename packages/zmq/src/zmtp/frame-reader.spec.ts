import { commandFrame, frameHeader, ZmtpFrameReader, ZmtpError } from './frame-reader.ts';
import { ZMTP_LIMITS } from './limits.ts';

const LIMITS = { ...ZMTP_LIMITS, messageBytes: 1000, frames: 8, commandBytes: 50 };

/** Returns the messages and commands that a reader finds in bytes. */
function read(reader: ZmtpFrameReader, bytes: Buffer): unknown[] {
  const results: unknown[] = [];
  for (let at = 0; at < bytes.length;) {
    const step = reader.take(bytes, at);
    ({ at } = step);
    if (step.received !== undefined) results.push(step.received);
  }
  return results;
}

const frame = (text: string, more = false): Buffer =>
  Buffer.concat([frameHeader(text.length, more), Buffer.from(text)]);

test('puts frames together wherever the bytes are cut', () => {
  const bytes = Buffer.concat([
    frame('', true),
    frame('x'.repeat(300), true),
    frame('end'),
    commandFrame('PING', Buffer.from('abc')),
    frame(''),
  ]);
  const whole = read(new ZmtpFrameReader(LIMITS), bytes);
  expect(whole).toEqual([
    {
      kind: 'message',
      frames: [Buffer.alloc(0), Buffer.from('x'.repeat(300)), Buffer.from('end')],
    },
    { kind: 'command', body: Buffer.from('\x04PINGabc') },
    { kind: 'message', frames: [Buffer.alloc(0)] },
  ]);
  for (const cut of [1, 2, 7, 100]) {
    const reader = new ZmtpFrameReader(LIMITS);
    const results: unknown[] = [];
    for (let at = 0; at < bytes.length; at += cut) {
      results.push(...read(reader, bytes.subarray(at, at + cut)));
    }
    expect(results).toEqual(whole);
    expect(reader.inMessage).toBe(false);
  }
});

test('the bytes and the frames of a message are bounded together', () => {
  const endless = (text: string): Buffer =>
    Buffer.concat(Array<Buffer>(100).fill(frame(text, true)));
  expect(() => read(new ZmtpFrameReader(LIMITS), endless('x'.repeat(200)))).toThrow(ZmtpError);
  expect(() => read(new ZmtpFrameReader(LIMITS), endless(''))).toThrow('too many frames');
  const reader = new ZmtpFrameReader(LIMITS);
  read(reader, Buffer.concat([frame('x'.repeat(600), true), frameHeader(400, false)]));
  expect(reader.held).toBe(600);
  expect(() => read(reader, Buffer.concat([Buffer.alloc(400), frame('y'.repeat(1001))]))).toThrow(
    ZmtpError,
  );
});

test('an announced length takes no memory', () => {
  const huge = new ZmtpFrameReader({ ...LIMITS, messageBytes: 2 ** 40 });
  const before = process.memoryUsage().arrayBuffers;
  read(huge, Buffer.concat([frameHeader(2 ** 39, false), Buffer.from('abc')]));
  expect(huge.held).toBe(3);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
});

test.each([
  ['reserved bits', Buffer.from([8, 0])],
  ['a command with more to follow', Buffer.from([5, 0])],
  ['a long command', commandFrame('x', Buffer.alloc(60))],
  ['a length beyond 2^63', Buffer.from([2, 255, 255, 255, 255, 255, 255, 255, 255])],
])('refuses %s', (_name, bytes) => {
  expect(() => read(new ZmtpFrameReader(LIMITS), bytes)).toThrow(ZmtpError);
});
