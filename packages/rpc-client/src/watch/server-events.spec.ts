import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { jest } from '@jest/globals';
import { RpcAnswerError, RpcConnectionError, RpcHttpError, RpcLoginError } from '../errors.ts';
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

const place = (height: number): string => `${height}-${'aa'.repeat(32)}`;
const block = (height: number): string =>
  `id: ${place(height)}\nevent: block.added\ndata: {"height":${height}}\n\n`;
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
  await expect(positions(events, 3)).resolves.toEqual([place(3), undefined, place(4)]);
  expect(asked).toEqual([
    '/events?after=2',
    `/events?after=${place(3)}`,
    `/events?after=${place(3)}`,
    `/events?after=${place(3)}`,
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
  await expect(next).resolves.toMatchObject({ value: { position: place(1) } });
  expect(troubles).toEqual([expect.objectContaining({ code: 'timeout' })]);
  await events.return?.();
});

test.each([
  ['a server without such a stream', 404, RpcHttpError],
  ['a position that is none', 400, RpcHttpError],
  ['a login that is asked for', 401, RpcLoginError],
  ['a redirect', 302, RpcHttpError],
])('%s ends it', async (_, code, kind) => {
  answers = [status(code)];
  await expect(serverEvents({ url }).next()).rejects.toBeInstanceOf(kind);
});

test('an event without an end ends it', async () => {
  answers = [stream('data: '.padEnd(100_000, 'x'))];
  await expect(serverEvents({ url }).next()).rejects.toMatchObject({ code: 'too-large' });
});

test('an answer that is no stream of events ends it', async () => {
  answers = [(response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')];
  await expect(serverEvents({ url }).next()).rejects.toBeInstanceOf(RpcAnswerError);
});

test.each([
  ['that is no JSON object', 'data: 5\n\n'],
  ['with a position that is none', 'id: 4&x#\ndata: {}\n\n'],
])('an event %s ends it', async (_, text) => {
  answers = [stream(block(3) + text)];
  const events = serverEvents({ url });
  await events.next();
  await expect(events.next()).rejects.toBeInstanceOf(RpcAnswerError);
});

/** Returns the pauses between tries, which are fractions of milliseconds, as no timer of Node or of a library is. */
function pausesOf(): number[] {
  jest.spyOn(Math, 'random').mockReturnValue(0.0011);
  const pauses: number[] = [];
  const real = globalThis.setTimeout;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, delay = 0) => {
    if (!Number.isInteger(delay)) pauses.push(delay);
    return real(act, delay);
  }) as typeof setTimeout);
  return pauses;
}

test('connections that break soon come at longer and longer intervals, whatever they tell', async () => {
  const pauses = pausesOf();
  answers = [stream(block(3), true)];
  const events = serverEvents({ url });
  await positions(events, 5);
  expect(pauses).toEqual([1.1, 2.2, 4.4, 8.8]);
});

test('the pauses begin anew after a connection that has lasted', async () => {
  const pauses = pausesOf();
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  answers = [stream(block(3), true)];
  const events = serverEvents({ url });
  for (let count = 0; count < 4; count++) await events.next();
  // The fourth connection has told something, and breaks ten seconds later.
  now.mockReturnValue(10_000);
  for (let count = 0; count < 2; count++) await events.next();
  await events.return?.();
  expect(pauses).toEqual([1.1, 2.2, 4.4, 1.1, 2.2]);
});

test.each(['unknown', 'too-old'])(
  'it is told when the node goes on elsewhere: %s',
  async (reason) => {
    const position = `id: ${place(9)}\nevent: position\ndata: {"reason":"${reason}"}\n\n`;
    answers = [stream(block(3), true), stream(position + block(10))];
    const troubles: unknown[] = [];
    const events = serverEvents({ url, onTrouble: (error) => troubles.push(error) });
    await expect(positions(events, 3)).resolves.toEqual([place(3), place(9), place(10)]);
    expect(troubles).toEqual([
      expect.objectContaining({ code: 'closed' }),
      expect.objectContaining({ code: 'missed', message: expect.stringContaining(reason) }),
    ]);
  },
);

test('the first position is no trouble, and what is thrown by who is told ends the iterator', async () => {
  const position = `id: ${place(9)}\nevent: position\ndata: {"reason":"new"}\n\n`;
  answers = [stream(position), stream(position)];
  const onTrouble = () => {
    throw new Error('no room for the log');
  };
  const first = serverEvents({ url, onTrouble });
  await expect(positions(first, 1)).resolves.toEqual([place(9)]);
  await expect(serverEvents({ url, onTrouble, after: 3 }).next()).rejects.toThrow('no room');
});

test('nothing is told of the pool to whoever wants blocks', async () => {
  answers = [stream(`event: pool.added\ndata: {}\n\n${block(3)}`)];
  await expect(positions(serverEvents({ url, events: 'blocks' }), 1)).resolves.toEqual([place(3)]);
});

test('nothing is told after the end, although it has come', async () => {
  answers = [stream(block(3) + block(4) + block(5))];
  const stop = new AbortController();
  const aborted = serverEvents({ url, signal: stop.signal });
  await aborted.next();
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(aborted.next()).rejects.toBe(reason);
  const left = serverEvents({ url });
  await left.next();
  await left.return?.();
  await expect(left.next()).resolves.toEqual({ done: true, value: undefined });
});

test('options are checked', () => {
  expect(() => serverEvents({ url: 'ftp://x' })).toThrow(TypeError);
  const odd = { url, form: 1 };
  expect(() => serverEvents(odd)).toThrow('form');
  for (const after of ['', '3-aa', '3&x=1', '3#', -1, 1.5, 1e21]) {
    expect(() => serverEvents({ url, after })).toThrow(TypeError);
  }
  expect(() => serverEvents({ url, events: 'pool' as never })).toThrow(TypeError);
});
