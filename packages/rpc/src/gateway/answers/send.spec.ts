import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { guardEmitter } from '@monero-node/base';
import { jest } from '@jest/globals';
import { ask } from '../../testing/http.ts';
import { atRest, onceTrue } from '../../testing/rounds.ts';
import { binaryReply, jsonReply } from './reply.ts';
import { ReplySender } from './send.ts';
import type { Body } from './write-answer.ts';

const PART = 1 << 20;
const CHUNK = 1 << 16;

/** An answer that is made while it is sent. */
function longBody(parts: number): Body {
  async function* rest(): AsyncGenerator<readonly Uint8Array[], void> {
    for (let i = 0; i < parts; i++) {
      yield Array.from({ length: PART / CHUNK }, () => Buffer.alloc(CHUNK, 'x'));
    }
  }
  return { chunks: [], length: 0, rest: rest() };
}

/** Serves one function; returns the port and what ends it. */
async function serve(answer: (response: ServerResponse) => Promise<void>) {
  const server = guardEmitter(createServer((_, response) => void answer(response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Makes a response collect what it is given while it is corked, as those of Node 21.2 and later do when they send chunks:
 * `write` returns false, and no 'drain' follows (nodejs/node issue 60432).
 */
function likeNewerNode(response: ServerResponse): void {
  const write = response.write.bind(response) as (chunk: unknown, encoding: string) => boolean;
  const emit = response.emit.bind(response) as (name: string, ...rest: unknown[]) => boolean;
  const collected: unknown[] = [];
  let corked = 0;
  let isLost = false;
  Object.assign(response, {
    cork: () => {
      corked++;
    },
    uncork: () => {
      corked--;
      isLost = true;
      for (const chunk of collected.splice(0)) write(chunk, 'latin1');
    },
    write: (chunk: unknown, encoding: string) => {
      if (corked > 0) {
        collected.push(chunk);
        return false;
      }
      isLost = false;
      return write(chunk, encoding);
    },
    emit: (name: string, ...rest: unknown[]) =>
      (name !== 'drain' || !isLost) && emit(name, ...rest),
  });
}

test('a long answer is sent to its end where corked responses never drain', async () => {
  const server = await serve((response) => {
    likeNewerNode(response);
    return new ReplySender().send(response, jsonReply(longBody(8)), []);
  });
  expect((await ask(server.port, { path: '/' })).body.length).toBe(8 * PART);
  server.stop();
});

test('the bytes that are made and not taken are noted: few while the client reads, a part when it does not', async () => {
  const noted: number[] = [];
  const server = await serve((response) =>
    new ReplySender().send(response, jsonReply(longBody(64)), [], (bytes) => noted.push(bytes)),
  );
  const { body } = await ask(server.port, { path: '/' });
  expect(body.length).toBe(64 * PART);
  expect(noted.length).toBeGreaterThanOrEqual(64);
  expect(Math.max(...noted)).toBeLessThan(2 * PART);
  expect(Math.min(...noted)).toBe(0);
  const socket = connect(server.port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  noted.length = 0;
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await onceTrue(() => noted.length > 0);
  await atRest(() => noted.length);
  expect(noted.at(-1)).toBeGreaterThan(0);
  expect(noted.at(-1)).toBeLessThan(2 * PART);
  socket.destroy();
  server.stop();
});

test('a short answer of texts and bytes is sent in one piece, byte for byte', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
  const chunks = [bytes.subarray(0, 100), 'x\xff', bytes.subarray(100)];
  const server = await serve((response) => {
    expect(new ReplySender().sendShort(response, binaryReply({ chunks, length: 258 }), [])).toBe(
      true,
    );
    return Promise.resolve();
  });
  const { body } = await ask(server.port, { path: '/' });
  const marks = Buffer.from('x\xff', 'latin1');
  expect(body).toEqual(Buffer.concat([bytes.subarray(0, 100), marks, bytes.subarray(100)]));
  server.stop();
});

test('an answer that is long, made while it is sent or empty is not sent as a short one', () => {
  const response = { req: { method: 'POST' } } as ServerResponse;
  const long = Buffer.alloc((1 << 16) + 1);
  for (const body of [
    { chunks: [long], length: long.length },
    longBody(1),
    { chunks: [], length: 0 },
  ]) {
    expect(new ReplySender().sendShort(response, binaryReply(body), [])).toBe(false);
  }
});

test('the date is that of the whole second, whichever way the clock moves', async () => {
  const sender = new ReplySender();
  const server = await serve((response) => sender.send(response, binaryReply(longBody(0)), []));
  const time = Date.UTC(1994, 10, 6, 8, 49, 37);
  const dates: unknown[] = [];
  const clock = jest.spyOn(Date, 'now');
  for (const now of [time, time + 999, time + 1000, time]) {
    clock.mockReturnValue(now);
    dates.push((await ask(server.port, { path: '/' })).headers['last-modified']);
  }
  clock.mockRestore();
  expect(dates).toEqual([37, 37, 38, 37].map((second) => `Sun, 06 Nov 1994 08:49:${second} GMT`));
  server.stop();
});
