import { afterEach, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { askMonerod } from './ask-monerod.ts';
import { alone, json } from './request.ts';

const SLOW_MS = 2000;
const POP = json('/pop_blocks', { nblocks: 1 });
let server: Server | undefined;

afterEach(() => {
  server?.close();
});

/** Starts a server that answers each request late; `seen` counts the requests. */
async function slowServer(): Promise<{ port: number; seen: () => number }> {
  const [port = 0] = await freePorts(1);
  let count = 0;
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      count++;
      setTimeout(() => socket.end('HTTP/1.1 200 Ok\r\nContent-Length: 2\r\n\r\n{}'), SLOW_MS);
    });
  });
  await new Promise<void>((resolve) => server?.listen(port, LOOPBACK, resolve));
  return { port, seen: () => count };
}

test('sends a request that changes later answers only once, however long it takes', async () => {
  const { port, seen } = await slowServer();
  const answer = await askMonerod(port, alone(POP), {});
  expect(answer.statusLine).toBe('HTTP/1.1 200 Ok');
  expect(seen()).toBe(1);
});

test('sends any other request again when there is no answer', async () => {
  const { port, seen } = await slowServer();
  const answer = await askMonerod(port, POP, {});
  expect(answer.statusLine).toBe('HTTP/1.1 200 Ok');
  expect(seen()).toBe(4);
});
