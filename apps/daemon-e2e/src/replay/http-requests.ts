import { BOTH, httpBytes, MAIN, type HttpParts, type ReplayRequest } from './request.ts';

const http = (name: string, parts: HttpParts): ReplayRequest => ({
  name: `HTTP: ${name}`,
  call: parts.path.slice(0, 60),
  bytes: httpBytes(parts),
  listeners: MAIN,
  bodyless: parts.verb === 'HEAD',
});

/** Returns a request made of any bytes, valid HTTP or not. */
const raw = (name: string, text: string, open = false): ReplayRequest => ({
  name: `HTTP: ${name}`,
  call: 'HTTP',
  bytes: Buffer.from(text, 'latin1'),
  listeners: MAIN,
  open,
});

const HOST = 'Host: localhost\r\n';
const CALL = '{"jsonrpc":"2.0","id":"0","method":"get_block_count"}';

const verbs = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE', 'OPTIONS'];
const unknownVerbs = ['PATCH', 'CONNECT', 'PROPFIND', 'BREW', 'get', 'Post', 'GETT', 'G'];

const paths: readonly string[] = [
  ...['/', '/x', '/json_rpc/', '/JSON_RPC', '/json_rpc?x=1', '/get_height?x=1', '/get_height/'],
  ...['/get_height#top', '//get_height', '/%67et_height', '/get_height%00', '/../get_height'],
  ...['/get_blocks', '/getblocks', '/get_outs.json', '/start_save_graphs', '/get_block_count'],
  `/${'a'.repeat(8000)}`,
];

/** Requests that test verbs, targets, headers and framing. */
export const HTTP_REQUESTS: readonly ReplayRequest[] = [
  ...verbs.map((verb) => http(`${verb} /get_height`, { verb, path: '/get_height' })),
  ...verbs.map((verb) => http(`${verb} /json_rpc`, { verb, path: '/json_rpc', body: CALL })),
  ...verbs.map((verb) => http(`${verb} unknown path`, { verb, path: '/no_such_path' })),
  ...unknownVerbs.map((verb) => http(`${verb} /get_height`, { verb, path: '/get_height' })),
  ...['/health/live', '/health/ready'].flatMap((path) =>
    ['GET', 'HEAD', 'POST', 'PUT'].map((verb) => ({
      ...http(`${verb} ${path}`, { verb, path }),
      listeners: BOTH,
    })),
  ),
  ...paths.map((path) => ({
    ...http(`path ${path.slice(0, 40)}`, { path }),
    listeners: BOTH,
  })),
  http('GET without body to a JSON path', { verb: 'GET', path: '/get_info' }),
  http('a text content type', {
    path: '/get_height',
    body: '{}',
    headers: ['Content-Type: text/plain'],
  }),
  http('a form content type', {
    path: '/json_rpc',
    body: CALL,
    headers: ['Content-Type: application/x-www-form-urlencoded'],
  }),
  http('an unsupported content encoding', {
    path: '/json_rpc',
    body: CALL,
    headers: ['Content-Encoding: gzip'],
  }),
  http('Accept of another type', { path: '/get_height', headers: ['Accept: text/html'] }),
  http('an unlisted origin', { path: '/get_height', headers: ['Origin: http://example.com'] }),
  http('OPTIONS with an unlisted origin', {
    verb: 'OPTIONS',
    path: '/get_height',
    headers: ['Origin: http://example.com', 'Access-Control-Request-Method: POST'],
  }),
  http('Connection: close', { path: '/get_height', headers: ['Connection: close'] }),
  http('Connection: keep-alive', { path: '/get_height', headers: ['Connection: keep-alive'] }),
  http('an authorization nobody asked for', {
    path: '/get_height',
    headers: ['Authorization: Basic YTpi'],
  }),
  http('a range', { path: '/get_height', headers: ['Range: bytes=0-3'] }),
  http('If-Modified-Since', {
    path: '/get_height',
    headers: ['If-Modified-Since: Sat, 21 Nov 2099 00:00:00 GMT'],
  }),
  http('many headers', {
    path: '/get_height',
    headers: Array.from({ length: 300 }, (_, i) => `X-Header-${i}: ${i}`),
  }),
  http('a long header', { path: '/get_height', headers: [`X-Long: ${'x'.repeat(60_000)}`] }),
  http('a body of 1,000,000 bytes', { path: '/get_height', body: `{}${' '.repeat(999_998)}` }),
  http('a body over 1 MiB', { path: '/get_height', body: ' '.repeat(1_048_577) }),
  raw('HTTP/1.0', `GET /get_height HTTP/1.0\r\n${HOST}\r\n`),
  raw('HTTP/1.0 keep-alive', `GET /get_height HTTP/1.0\r\n${HOST}Connection: keep-alive\r\n\r\n`),
  raw('no length', `POST /get_height HTTP/1.1\r\n${HOST}\r\n`),
  raw('a leading empty line', `\r\nGET /get_height HTTP/1.1\r\n${HOST}\r\n`),
  raw('bare line feeds', `GET /get_height HTTP/1.1\nHost: localhost\n\n`),
  raw('no host', 'GET /get_height HTTP/1.1\r\nX-Y: 1\r\n\r\n'),
  raw('a header without colon', `GET /get_height HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`),
  raw('no headers at all', 'GET /get_height HTTP/1.1\r\n\r\n', true),
  raw('no version', `GET /get_height\r\n${HOST}\r\n`, true),
  raw('version 3', `GET /get_height HTTP/3.0\r\n${HOST}\r\n`, true),
  raw('not HTTP', 'hello world, this is no request\r\n\r\n', true),
  raw('zero bytes', '\0'.repeat(64), true),
  raw('a Levin header', `\x01\x21\x01\x01\x01\x01\x01\x01${'\0'.repeat(25)}`, true),
  raw('half a request', 'POST /get_height HTTP/1.1\r\nHost: loc', true),
  raw('half a body', `POST /get_height HTTP/1.1\r\n${HOST}Content-Length: 20\r\n\r\n{}`, true),
  raw('a negative length', `POST /get_height HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`, true),
  raw('a length of words', `POST /get_height HTTP/1.1\r\n${HOST}Content-Length: ten\r\n\r\n`, true),
  raw(
    'a huge length',
    `POST /get_height HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999\r\n\r\n`,
    true,
  ),
  raw(
    'a length over the limit',
    `POST /get_height HTTP/1.1\r\n${HOST}Content-Length: 2000000\r\n\r\n`,
    true,
  ),
  raw(
    'two lengths',
    `POST /get_height HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
  ),
  raw('an absolute target', `GET http://localhost/get_height HTTP/1.1\r\n${HOST}\r\n`),
  raw('a target without slash', `GET get_info HTTP/1.1\r\n${HOST}\r\n`),
  raw('a target of a star', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`),
];
