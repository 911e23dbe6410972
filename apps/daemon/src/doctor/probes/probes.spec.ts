import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connectionError, greetSocks } from './connecting.ts';
import { listeningErrors } from './listening.ts';

let server: Server;
let onSocket: (socket: Socket) => void;
beforeEach(async () => {
  onSocket = () => undefined;
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => server.close());

const here = () => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });

test.each<[string, (socket: Socket) => void, string]>([
  ['a proxy', (socket) => socket.once('data', () => socket.write(Uint8Array.of(5, 0))), 'socks'],
  [
    'a proxy that wants a login',
    (socket) => socket.once('data', () => socket.write(Uint8Array.of(5, 255))),
    'socks',
  ],
  [
    'a program that ends the connection',
    (socket) => socket.once('data', () => socket.end()),
    'silent',
  ],
  [
    'a web server',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    'other',
  ],
])('%s is told apart', async (_, answer, kind) => {
  onSocket = answer;
  expect(await greetSocks(here())).toBe(kind);
});

test('a greeting asks the proxy for nothing', async () => {
  let received: Buffer | undefined;
  onSocket = (socket) =>
    socket.once('data', (bytes: Buffer) => {
      received = bytes;
      socket.end();
    });
  await greetSocks(here());
  expect(received).toEqual(Buffer.of(5, 2, 0, 2));
});

test('connections are tried and ended', async () => {
  const ended = new Promise((resolve) => {
    onSocket = (socket) => socket.resume().once('close', resolve);
  });
  expect(await connectionError(here())).toBeUndefined();
  await ended;
  const gone = here();
  await new Promise((resolve) => server.close(resolve));
  expect(await connectionError(gone)).toMatchObject({ code: 'ECONNREFUSED' });
});

test('addresses are listened on together and given back', async () => {
  const taken = here();
  const errors = await listeningErrors([taken, { host: '127.0.0.1', port: 0 }]);
  expect(errors).toEqual([expect.objectContaining({ code: 'EADDRINUSE' }), undefined]);
  await new Promise((resolve) => server.close(resolve));
  const twice = await listeningErrors([taken, taken]);
  expect(twice).toEqual([undefined, expect.objectContaining({ code: 'EADDRINUSE' })]);
  expect(await listeningErrors([taken])).toEqual([undefined]);
});
