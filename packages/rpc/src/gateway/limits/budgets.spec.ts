import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { recordedServer, type RecordedServer } from '../../testing/recorded-server.ts';
import { ask } from '../../testing/http.ts';
import { exchange } from '../../testing/raw-socket.ts';
import { atRest, onceTrue } from '../../testing/rounds.ts';

const ATTACKERS = 24;

let node: RecordedServer;
beforeEach(async () => {
  node = await recordedServer();
});
afterEach(() => node.stop());

/** A request for a histogram of that many amounts. */
function histogram(amounts: number): string {
  const list = Array.from({ length: amounts }, (_, i) => i + 1).join(',');
  const body = `{"method":"get_output_histogram","params":{"amounts":[${list}],"unlocked":true}}`;
  return `POST /json_rpc HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Sends a request on each of many connections; returns how many have been answered so far. */
async function flood(
  port: number,
  request: string,
  localAddress = '127.0.0.1',
): Promise<{ answered: () => number; end: () => void }> {
  let answered = 0;
  const sockets = Array.from({ length: ATTACKERS }, (): Socket =>
    connect({ port, host: '127.0.0.1', localAddress }),
  );
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.once('data', () => answered++);
    socket.write(request);
  }
  return {
    answered: () => answered,
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('get_info on the owner’s port does not wait for 24 histograms of 100,000 amounts on the restricted port', async () => {
  const attack = await flood(node.restrictedPort, histogram(100_000));
  for (let i = 0; i < 5; i++) {
    expect((await ask(node.port, { path: '/get_info' })).status).toBe(200);
  }
  expect(attack.answered()).toBeLessThan(ATTACKERS / 2);
  attack.end();
}, 60_000);

test('a cheap call does not wait for expensive ones on the same port', async () => {
  const attack = await flood(node.restrictedPort, histogram(100_000));
  for (let i = 0; i < 5; i++) {
    expect((await ask(node.restrictedPort, { path: '/get_height' })).status).toBe(200);
  }
  expect(attack.answered()).toBeLessThan(ATTACKERS / 2);
  attack.end();
}, 60_000);

// Linux has all addresses of 127.0.0.0/8.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('silent connections on all places do not keep a client out', async () => {
  await node.stop();
  node = await recordedServer({ maxConnections: 25 });
  const attack = await flood(node.port, '', '127.0.0.2');
  const more = await flood(node.port, '', '127.0.0.3');
  expect((await ask(node.port, { path: '/get_height' })).status).toBe(200);
  attack.end();
  more.end();
});

test('20,000 chunks of one byte end the connection', async () => {
  const head = 'POST /get_height HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const answer = await exchange(node.port, head + '1\r\nx\r\n'.repeat(20_000));
  expect(answer).toEqual({ text: '', closed: true });
  const few = await exchange(node.port, `${head}${'1\r\n \r\n'.repeat(500)}0\r\n\r\n`);
  expect(few.text).toContain('200 Ok');
});

test('pipelined requests are bounded by the bytes of their headers', async () => {
  const large = `GET /get_info HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(90_000)}\r\n\r\n`;
  // They wait for the first, which takes a while.
  const flooded = await exchange(node.port, histogram(100_000) + large.repeat(8));
  expect(flooded).toEqual({ text: '', closed: true });
  expect((await exchange(node.port, large.repeat(3))).text.match(/200 Ok/g)).toHaveLength(3);
});

test('an upgrade and an expectation are answered or closed, and the node serves on', async () => {
  const upgrade =
    'GET /get_height HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  expect((await exchange(node.port, upgrade)).text).toContain('200 Ok');
  expect((await exchange(node.port, 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n')).closed).toBe(true);
  const expecting =
    'POST /get_height HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}';
  expect((await exchange(node.port, expecting)).text).toContain('200 Ok');
  expect((await ask(node.port, { path: '/get_height' })).status).toBe(200);
});

test('long calls of clients that have left are given up', async () => {
  let reads = 0;
  const { store } = node.chain;
  const original = store.outputCount.bind(store);
  // Each read takes at least 20 us, so that a slice of time holds few of them on a machine of any speed.
  const spy = jest.spyOn(store, 'outputCount').mockImplementation((amount, height) => {
    const end = performance.now() + 0.02;
    while (performance.now() < end);
    reads++;
    return original(amount, height);
  });
  const attack = await flood(node.restrictedPort, histogram(100_000));
  await onceTrue(() => reads > 0);
  attack.end();
  // Each goes on for what is left of its slice; one that is not given up reads 100,000.
  expect(await atRest(() => reads)).toBeLessThan(40_000);
  expect((await ask(node.restrictedPort, { path: '/get_height' })).status).toBe(200);
  spy.mockRestore();
});
