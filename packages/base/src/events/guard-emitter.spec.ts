import { EventEmitter, once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { guardEmitter, guardServer } from './guard-emitter.ts';

test('a guarded emitter may emit an error that nobody listens for', () => {
  expect(() => new EventEmitter().emit('error', new Error('x'))).toThrow('x');
  expect(guardEmitter(new EventEmitter()).emit('error', new Error('x'))).toBe(true);
  const errors: Error[] = [];
  const emitter = guardEmitter(new EventEmitter(), (error) => errors.push(error));
  emitter.emit('error', new Error('y'));
  expect(errors).toMatchObject([{ message: 'y' }]);
});

/** Connects to a server and returns the accepted socket with a function that ends both. */
async function accepted(server: Server): Promise<{ socket: Socket; close: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = guardEmitter(connect((server.address() as AddressInfo).port, '127.0.0.1'));
  const [socket] = (await once(server, 'connection')) as [Socket];
  return {
    socket,
    close: async () => {
      client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each([
  ['TCP', () => guardServer(createServer())],
  ['HTTP', () => guardServer(createHttpServer())],
])('sockets of a guarded %s server may be destroyed with an error', async (_, make) => {
  const { socket, close } = await accepted(make());
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy(new Error('broken'));
  await closed;
  await close();
});

test('a response that is written to after its end does not end the process', async () => {
  const server = guardServer(createHttpServer());
  const failed = new Promise<Error>((resolve) =>
    server.on('request', (_, response) => {
      response.on('error', resolve);
      response.end('done');
      response.write('more');
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await answer.text()).toBe('done');
  expect((await failed).message).toMatch(/write after end/);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
