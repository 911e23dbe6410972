import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { lookForHello, receiveHello } from './client-hello.ts';

/** A handshake message in records of at most `size` bytes. */
function records(message: Buffer, size = 0x4000): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const content = message.subarray(at, at + size);
    parts.push(Buffer.from([22, 3, 1, content.length >> 8, content.length & 255]), content);
  }
  return Buffer.concat(parts);
}

const message = (type: number, length: number): Buffer =>
  Buffer.concat([Buffer.from([type, 0, length >> 8, length & 255]), Buffer.alloc(length, 7)]);

test.each([1, 3, 4, 5, 100, 0x4000])(
  'a ClientHello in records of %d bytes is whole with its last byte, not before',
  (size) => {
    const hello = records(message(1, 300), size);
    for (let length = 0; length < hello.length; length++)
      expect(lookForHello(hello.subarray(0, length))).toBe('part');
    expect(lookForHello(hello)).toBe('whole');
  },
);

test.each([
  ['another kind of record', Buffer.from([23, 3, 1, 0, 5])],
  ['another message', records(message(2, 10))],
  ['an empty record', Buffer.from([22, 3, 1, 0, 0])],
  ['a message that ends within a record', Buffer.from([22, 3, 1, 0, 9, 1, 0, 0, 4, 1, 2, 3, 4, 5])],
])('%s is no ClientHello', (_name, bytes) => {
  expect(lookForHello(bytes)).toBe('other');
});

describe('a connection', () => {
  const open = async (): Promise<{ client: Socket; server: Socket; close: () => void }> => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    const [server] = (await once(listener, 'connection')) as [Socket];
    server.on('error', () => undefined);
    const close = (): void => {
      client.destroy();
      server.destroy();
      listener.close();
    };
    return { client, server, close };
  };

  test('its ClientHello comes in pieces and is put back whole', async () => {
    const { client, server, close } = await open();
    const hello = records(message(1, 300), 100);
    const whole = new Promise<() => void>((resolve) => receiveHello(server, resolve));
    for (let at = 0; at < hello.length; at += 50) {
      client.write(hello.subarray(at, at + 50));
      await new Promise((resolve) => setImmediate(resolve));
    }
    (await whole)();
    expect(server.read()).toEqual(hello);
    close();
  });

  test('a client that leaves while it waits is noticed', async () => {
    const { client, server, close } = await open();
    const whole = new Promise((resolve) => receiveHello(server, resolve));
    client.write(records(message(1, 300)));
    await whole;
    client.end();
    await once(server, 'close');
    close();
  });

  test.each([
    ['other bytes', Buffer.from([22, 3, 1, 0, 1, 2])],
    ['a ClientHello of 20 kB', records(message(1, 20_000))],
  ])('%s end it', async (_name, bytes) => {
    const { client, server, close } = await open();
    let isWhole = false;
    receiveHello(server, () => (isWhole = true));
    client.write(bytes);
    await once(server, 'close');
    expect(isWhole).toBe(false);
    close();
  });

  test('a ClientHello that comes a byte at a time is looked at a bounded number of times', async () => {
    const { server, close } = await open();
    receiveHello(server, () => undefined);
    const hello = records(message(1, 300));
    let reads = 0;
    while (!server.destroyed && reads < hello.length) {
      server.emit('data', hello.subarray(reads, reads + 1));
      reads++;
    }
    expect(reads).toBe(65);
    close();
  });
});
