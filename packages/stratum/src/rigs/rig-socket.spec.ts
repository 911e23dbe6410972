import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { SharedSlice } from '@monero-node/base';
import { keepBusy, settle } from '@monero-node/base/testing';
import { STRATUM_LIMITS } from '../options.ts';
import { RigSocket } from './rig-socket.ts';

/** The part of a socket that a rig's connection uses. */
class FakeSocket extends Duplex {
  readonly written: string[] = [];

  override _read(): void {
    // Bytes are pushed by the test.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(chunk.toString());
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.written.push(chunks.map(({ chunk }) => chunk.toString()).join(''));
    done();
  }

  setNoDelay(): void {
    // Nothing waits here.
  }

  setKeepAlive(): void {
    // Nothing is silent here.
  }

  setTimeout(): void {
    // Nothing is silent here.
  }
}

/** Opens a connection whose user notes its lines, for each of which it works `workMs`. */
function open(turns: SharedSlice, workMs = 0, bytesPerSecond = 1e9) {
  const socket = new FakeSocket();
  const lines: string[] = [];
  let floods = 0;
  const onLine = (line: string): void => {
    keepBusy(workMs);
    lines.push(line);
  };
  const rig = new RigSocket(
    socket as unknown as Socket,
    { onLine, onFlood: () => void floods++, onClose: () => undefined },
    { limits: { ...STRATUM_LIMITS, bytesPerSecond }, turns, now: () => 0 },
  );
  return { socket, lines, rig, floods: () => floods };
}

const LINES = Array.from({ length: 2000 }, (_, i) => `line ${i}`);
const FLOOD = Buffer.from(`${LINES.join('\n')}\n`);

test('a flood leaves the event loop free, and each rig has its turns', async () => {
  const turns = new SharedSlice();
  const [flooding, innocent] = [open(turns, 0.2), open(turns)];
  flooding.socket.push(FLOOD);
  await settle(2);
  // 400 milliseconds of work.
  expect(flooding.lines.length).toBeGreaterThan(0);
  expect(flooding.lines.length).toBeLessThan(1000);
  expect(flooding.socket.isPaused()).toBe(true);
  innocent.socket.push('hello\n');
  const before = flooding.lines.length;
  while (innocent.lines.length === 0) await settle(1);
  expect(flooding.lines.length - before).toBeLessThan(500);
  while (flooding.lines.length < LINES.length) await settle(1);
  expect(flooding.lines).toEqual(LINES);
  await settle();
  expect(flooding.socket.isPaused()).toBe(false);
});

test('lines that wait are forgotten when the connection ends, and what comes later is too', async () => {
  const { socket, lines, rig } = open(new SharedSlice(), 0.2);
  socket.push(FLOOD);
  await settle(2);
  rig.close();
  const before = lines.length;
  await settle(20);
  expect(lines).toHaveLength(before);
});

test('lines of one round of the event loop leave in one write', async () => {
  const { socket, rig } = open(new SharedSlice());
  for (const line of ['a\n', 'b\n', 'c\n']) rig.send(line);
  await settle();
  rig.send('d\n');
  rig.closeGently();
  await settle();
  expect(socket.written).toEqual(['a\nb\nc\n', 'd\n']);
  expect(rig.isOpen).toBe(false);
});

test.each([
  ['too many bytes', 100, FLOOD],
  ['a line that is too long', 1e9, Buffer.alloc(STRATUM_LIMITS.lineBytes + 1, 'x')],
])('%s are told once', async (_case, bytesPerSecond, bytes) => {
  const { socket, lines, floods } = open(new SharedSlice(), 0, bytesPerSecond);
  socket.push(bytes);
  await settle();
  expect(lines).toEqual([]);
  expect(floods()).toBe(1);
});
