import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { FakeNatsServer, greet, SERVER_INFO } from '../testing/fake-nats-server.ts';
import { connectEvents } from './connect.ts';
import { MAX_LINE_BYTES } from './server-frames.ts';
import { payloadBytes } from './server-info.ts';

let server: FakeNatsServer;
let aborter: AbortController;
beforeEach(() => (aborter = new AbortController()));
afterEach(async () => {
  aborter.abort();
  await server.close();
});

/** Resolves to the reason why the first attempt failed. */
function firstFailure(): Promise<string> {
  return new Promise((resolve, reject) => {
    const onFailure = (error: unknown): void => {
      aborter.abort();
      resolve(String(error));
    };
    connectEvents({ servers: server.url, signal: aborter.signal, onFailure }).then(
      (connection) => void connection.close().then(() => reject(new Error('connected'))),
      () => undefined,
    );
  });
}

async function connected(): Promise<NatsConnection> {
  return connectEvents({ servers: server.url, signal: aborter.signal });
}

/** Resolves to the types of events of a connection, up to and including `last`. */
async function eventsUntil(connection: NatsConnection, last: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of connection.status()) {
    types.push(type);
    if (type === last) break;
  }
  return types;
}

test('a sound server is connected to, and answers', async () => {
  server = await FakeNatsServer.open(greet(SERVER_INFO));
  const connection = await connected();
  await connection.flush();
  expect(payloadBytes(connection, 262_144)).toBe(262_144);
  await connection.close();
  expect(server.lines[0]).toMatch(/^CONNECT \{.*"name":"monero-node"/);
});

test.each([-1, 0, 1])('a server that takes messages of %d bytes is refused', async (max) => {
  server = await FakeNatsServer.open(greet({ ...SERVER_INFO, max_payload: max }));
  expect(await firstFailure()).toContain(`the server takes messages of ${max} bytes`);
  expect(server.lines).toEqual([]);
});

test.each([65_536, 2 ** 31, 2 ** 53 - 1])(
  'parts of messages fit a server that takes %d bytes',
  async (max) => {
    server = await FakeNatsServer.open(greet({ ...SERVER_INFO, max_payload: max }));
    const connection = await connected();
    expect(payloadBytes(connection, 262_144)).toBe(Math.min(262_144, max / 2));
    await connection.close();
  },
);

test('a file of credentials that is absent, then empty, is read again', async () => {
  server = await FakeNatsServer.open(greet(SERVER_INFO));
  const folder = mkdtempSync(join(tmpdir(), 'connect-'));
  const credentialsFile = join(folder, 'login');
  const reasons: string[] = [];
  const onFailure = (error: unknown): void => {
    reasons.push(String(error));
    writeFileSync(credentialsFile, reasons.length === 1 ? '' : 'user:password');
  };
  try {
    const options = { servers: server.url, credentialsFile, signal: aborter.signal };
    await expect(connectEvents(options)).rejects.toThrow('cannot be read');
    const connection = await connectEvents({ ...options, onFailure });
    await connection.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(reasons).toHaveLength(2);
  expect(reasons[0]).toContain('the file of credentials cannot be read: ENOENT');
  expect(reasons[1]).toContain('holds no credentials');
  expect(server.lines[0]).toContain('"user":"user"');
});

test('an INFO line without an end ends the connection once it is too long', async () => {
  let sent = 0;
  server = await FakeNatsServer.open((socket) => {
    socket.write('INFO {"x":"');
    const more = (): void => {
      if (socket.destroyed) return;
      sent += 4096;
      socket.write('x'.repeat(4096), () => setImmediate(more));
    };
    more();
    // The end of the client is met only by a reader.
    socket.resume();
  });
  expect(await firstFailure()).toContain('INFO line of more than 65536 bytes');
  while (server.closed === 0) await new Promise(setImmediate);
  // Allows for the bytes in flight between the two.
  expect(sent).toBeLessThan(MAX_LINE_BYTES + (16 << 20));
});

test('an attempt that ends leaves no connection behind', async () => {
  server = await FakeNatsServer.open(
    (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  expect(await firstFailure()).toContain('no NATS server');
  while (server.closed === 0) await new Promise(setImmediate);
});

test('a connection on which the server breaks the protocol is closed, and another one is made', async () => {
  const sent = ['MSG x 1 -1\r\n', 'INFO {"max_payload":0}\r\n', 'MSG x 1 4\r\nabcdef\r\n'];
  server = await FakeNatsServer.open((socket, self) =>
    greet(SERVER_INFO, (line) => {
      // The client has sent its name and has got its first answer.
      if (line === 'PING') socket.write(sent.shift() ?? 'PING\r\n');
    })(socket, self),
  );
  const connection = await connected();
  for (let n = 0; n < 3; n++)
    expect(await eventsUntil(connection, 'reconnect')).toContain('disconnect');
  await connection.flush();
  expect(server.accepted).toBe(4);
  await connection.close();
});

test('a server that asks and reads nothing fills no memory', async () => {
  let asked = 0;
  server = await FakeNatsServer.open((socket, self) =>
    greet(SERVER_INFO, (line) => {
      if (!line.startsWith('SUB ')) return;
      socket.pause();
      const more = (): void => {
        if (socket.destroyed) return;
        asked++;
        const go = (): void => void setImmediate(more);
        if (socket.write('MSG ask 1 answer 0\r\n\r\n')) go();
        else socket.once('drain', go);
      };
      more();
    })(socket, self),
  );
  const connection = await connected();
  let answered = 0;
  const answer = new Uint8Array(512 * 1024);
  connection.subscribe('ask', {
    callback: (_, message) => {
      answered++;
      message.respond(answer);
    },
  });
  // Ends when the client reads no more: the server keeps asking, and no answer is added.
  const isSettled = async (): Promise<boolean> => {
    const before = [asked, answered];
    for (let rounds = 0; rounds < 200; rounds++) await new Promise(setImmediate);
    return asked === before[0] && answered === before[1] && asked > 100;
  };
  while (!(await isSettled()));
  expect(answered).toBeGreaterThan(0);
  // 8 MiB, one slice of questions more, and what the system holds.
  expect(answered).toBeLessThan(200);
  await connection.close();
});

test('an address that is empty, and a certificate without its key, are refused before anything is asked', async () => {
  server = await FakeNatsServer.open(greet(SERVER_INFO));
  const { url } = server;
  for (const servers of ['', `${url},`, `${url},,${url}`, [], [url, ' ']]) {
    await expect(connectEvents({ servers })).rejects.toMatchObject({
      code: 'bad-option',
      option: 'servers',
    });
  }
  for (const files of [{ tlsCertFile: 'a' }, { tlsKeyFile: 'a' }]) {
    await expect(connectEvents({ servers: url, ...files })).rejects.toMatchObject({
      code: 'missing-option',
    });
  }
});
