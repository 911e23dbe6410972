import { connect } from 'node:net';
import { recordedServer } from '../testing/recorded-server.ts';

const { restrictedPort } = await recordedServer(
  { disableRpcBan: true, maxConnectionsPerPrivateIp: 1000, maxConnections: 1000 },
  {},
);

const body = '{"jsonrpc":"2.0","id":0,"method":"get_version"}';
const post = `POST /json_rpc HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
export const maxLength = 8192;
export const seeds = [
  post,
  post + post,
  'GET /get_height HTTP/1.1\r\n\r\n',
  'OPTIONS /json_rpc HTTP/1.1\r\nOrigin: http://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n',
  'POST /get_info HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'POST /get_blocks.bin HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc',
  'GET /get_info HTTP/1.1\r\nAuthorization: Digest username="a"\r\nConnection: close\r\n\r\n',
].map((text) => new TextEncoder().encode(text));
export const tokens = [
  ...['GET ', 'POST ', 'HEAD ', 'PUT ', ' HTTP/1.1\r\n', 'HTTP/1.0', '\r\n\r\n', '\r\n'],
  ...['Content-Length: ', 'Transfer-Encoding: chunked', 'Expect: 100-continue', 'Upgrade: h2c'],
  ...['Content-Encoding: gzip', 'Connection: close', 'Origin: ', 'Host: ', '/%', '/../', '?', '\0'],
];

/** How long an answer may take once the request has ended, milliseconds. */
const ANSWER_MS = 10_000;

/** The server answers or closes a connection whose client has sent its bytes and ended; it goes on listening. */
export function fuzz(input: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(restrictedPort, '127.0.0.1');
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error('the connection is neither answered nor closed'));
    }, ANSWER_MS);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.resume();
    socket.end(input);
  });
}
