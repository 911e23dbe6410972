import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardServer } from '@monero-node/base';
import { dialThroughSocks, parseSocksEndpoint } from '@monero-node/p2p/socks';
import { SocksServer } from '@monero-node/p2p/testing';
import { postAlert, type WebhookError } from './post-alert.ts';

const SECRET = 'a secret of some length';
const BODY = '{"message":"a – b"}';
const CONTENT = { body: BODY, id: 'id1', messageId: 'id1-begins-7' };
const { signal } = new AbortController();

interface Received {
  readonly request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
  readonly body: string;
}

let received: Received[];
let answer: (response: ServerResponse) => unknown;
let server: Server;
let port: number;
beforeEach(async () => {
  received = [];
  answer = (response) => response.writeHead(204).end();
  server = guardServer(
    createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        received.push({ request, body });
        answer(response);
      });
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const post = (
  address = `http://127.0.0.1:${port}/hooks/token?key=1`,
  secret: string | undefined = SECRET,
  answerMs?: number,
): Promise<void> => postAlert({ url: new URL(address), secret }, CONTENT, { signal }, answerMs);

/** Resolves with the error of a post, which must fail. */
const failure = (...parameters: Parameters<typeof post>): Promise<WebhookError> =>
  post(...parameters).then(
    () => Promise.reject(new Error('it arrived')),
    (error: unknown) => error as WebhookError,
  );

test('an alert is a signed POST of JSON', async () => {
  await post();
  const [{ request, body } = { request: { headers: {} }, body: '' }] = received;
  expect([request.method, request.url, body]).toEqual(['POST', '/hooks/token?key=1', BODY]);
  expect(request.headers).toMatchObject({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(BODY)),
    'x-monero-node-alert': 'id1',
    'x-monero-node-message': 'id1-begins-7',
    'x-monero-node-signature': `sha256=${createHmac('sha256', SECRET).update(Buffer.from(BODY)).digest('hex')}`,
  });
  expect(request.headers).not.toHaveProperty('authorization');
});

test('without a secret nothing is signed, and a login in the URL is sent', async () => {
  await postAlert(
    { url: new URL(`http://us%40er:p%3Aw@127.0.0.1:${port}/`), secret: undefined },
    CONTENT,
    { signal },
  );
  const headers = received[0]?.request.headers ?? {};
  expect(headers).not.toHaveProperty('x-monero-node-signature');
  expect(Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()).toBe('us@er:p:w');
});

test.each([
  [301, false],
  [307, false],
  [400, false],
  [404, false],
  [408, true],
  [429, true],
  [500, true],
  [503, true],
])('with status %i it has not arrived; it may later: %s', async (status, isPassing) => {
  answer = (response) =>
    response.writeHead(status, { location: `http://127.0.0.1:${port}/other` }).end();
  const error = await failure(`http://user:password@127.0.0.1:${port}/hooks/token?key=1`);
  expect(error).toMatchObject({ name: 'WebhookError', isPassing });
  // A redirect is not followed.
  expect(received).toHaveLength(1);
  expect(error.message).toContain(`http://127.0.0.1:${port}: it `);
  expect(error.message).not.toMatch(/user|password|token|key|other/);
});

test('an answer whose body never ends is one', async () => {
  answer = (response) => {
    response.writeHead(200);
    response.write('x'.repeat(100_000));
  };
  await post();
  expect(received).toHaveLength(1);
});

test('a server that does not answer is given up, and may answer later', async () => {
  answer = () => undefined;
  const error = await failure(undefined, undefined, 50);
  expect(error.message).toBe(`http://127.0.0.1:${port}: no answer within 0.05 s`);
  expect(error.isPassing).toBe(true);
});

test('a server that is away may be there later', async () => {
  const address = `http://127.0.0.1:${port}/hooks/token`;
  await new Promise((resolve) => server.close(resolve));
  const error = await failure(address);
  expect(error).toMatchObject({ name: 'WebhookError', isPassing: true });
  expect(error.message).not.toContain('token');
});

test('a signal ends it', async () => {
  const stop = new AbortController();
  answer = () => stop.abort(new Error('the node stops'));
  const posting = postAlert(
    { url: new URL(`http://127.0.0.1:${port}/`), secret: undefined },
    CONTENT,
    { signal: stop.signal },
  );
  await expect(posting).rejects.toThrow('the node stops');
});

test('it goes through a proxy, which looks up the name', async () => {
  const proxy = await SocksServer.open({ route: () => ({ host: '127.0.0.1', port }) });
  try {
    const endpoint = parseSocksEndpoint(`socks5://${proxy.address}`);
    if (endpoint === undefined) throw new Error('unreachable');
    await postAlert({ url: new URL('http://hooks.example:8080/x'), secret: undefined }, CONTENT, {
      signal,
      dial: dialThroughSocks(endpoint),
    });
    expect(proxy.requests).toEqual([
      expect.objectContaining({ host: 'hooks.example', port: 8080 }),
    ]);
    expect(received[0]?.request.headers.host).toBe('hooks.example:8080');
  } finally {
    await proxy.close();
  }
});
