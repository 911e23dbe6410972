import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { jest } from '@jest/globals';
import { RpcConnectionError, RpcHttpError, RpcLoginError } from '../errors.ts';
import { serverEvents } from './server-events.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let url: string;
/** Answers of the node, the next one first; the last one stays. */
let answers: Answer[];
let asked: string[];

beforeEach(async () => {
  // There is no pause between two tries.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const block = (height: number): string =>
  `id: ${height}-aa\nevent: block.added\ndata: {"height":${height}}\n\n`;
const stream =
  (text: string, ends = false): Answer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    if (ends) response.end(text);
    else response.write(text);
  };
const status =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code).end('no');

/** Returns the positions of the first events. */
async function positions(events: AsyncIterable<{ position: string | undefined }>, count: number) {
  const found: (string | undefined)[] = [];
  for await (const { position } of events) {
    found.push(position);
    if (found.length === count) break;
  }
  return found;
}

test('a stream that breaks is asked for again, after the last block', async () => {
  answers = [
    stream(`${block(3)}event: pool.added\ndata: {}\n\n`, true),
    status(503),
    (response) => response.destroy(),
    stream(block(4)),
  ];
  const troubles: unknown[] = [];
  const events = serverEvents({ url, after: 2, onTrouble: (error) => troubles.push(error) });
  await expect(positions(events, 3)).resolves.toEqual(['3-aa', undefined, '4-aa']);
  expect(asked).toEqual([
    '/events?after=2',
    '/events?after=3-aa',
    '/events?after=3-aa',
    '/events?after=3-aa',
  ]);
  expect(troubles).toEqual([
    expect.objectContaining({ code: 'closed' }),
    expect.objectContaining({ status: 503 }),
    expect.any(RpcConnectionError),
  ]);
});

test('leaving the loop closes the connection, also while nothing comes', async () => {
  const left = new Promise<void>((resolve) => {
    answers = [
      (response, request) => {
        stream(block(1))(response, request);
        response.once('close', resolve);
      },
    ];
  });
  const events = serverEvents({ url });
  await expect(events.next()).resolves.toMatchObject({ done: false });
  const next = events.next();
  await events.return?.();
  await expect(next).resolves.toEqual({ done: true, value: undefined });
  await left;
});

test('the signal ends it with its reason', async () => {
  answers = [stream(block(1))];
  const stop = new AbortController();
  const events = serverEvents({ url, signal: stop.signal });
  await events.next();
  const next = events.next();
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(next).rejects.toBe(reason);
});

test('a node that says nothing at all is asked again', async () => {
  const silences: (() => void)[] = [];
  const real = globalThis.setTimeout;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, delay?: number) => {
    if (delay !== 45_000) return real(act, delay);
    silences.push(act);
    return undefined;
  }) as typeof setTimeout);
  let isAsked: () => void = () => undefined;
  const open = new Promise<void>((resolve) => (isAsked = resolve));
  answers = [() => isAsked(), stream(block(1))];
  const troubles: unknown[] = [];
  const events = serverEvents({ url, onTrouble: (error) => troubles.push(error) });
  const next = events.next();
  await open;
  silences.at(-1)?.();
  await expect(next).resolves.toMatchObject({ value: { position: '1-aa' } });
  expect(troubles).toEqual([expect.objectContaining({ code: 'timeout' })]);
  await events.return?.();
});

test.each([
  ['a server without such a stream', 404, RpcHttpError],
  ['a position that is none', 400, RpcHttpError],
  ['a login that is asked for', 401, RpcLoginError],
])('%s ends it', async (_, code, kind) => {
  answers = [status(code)];
  await expect(serverEvents({ url }).next()).rejects.toBeInstanceOf(kind);
});

test('an event without an end ends it', async () => {
  answers = [stream('data: '.padEnd(100_000, 'x'))];
  await expect(serverEvents({ url }).next()).rejects.toMatchObject({ code: 'too-large' });
});

test('options are checked', () => {
  expect(() => serverEvents({ url: 'ftp://x' })).toThrow(TypeError);
  const odd = { url, form: 1 };
  expect(() => serverEvents(odd)).toThrow('form');
});
