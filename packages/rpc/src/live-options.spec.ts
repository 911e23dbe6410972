import { connect } from 'node:net';
import { jest } from '@jest/globals';
import { RpcOptionsError } from './errors.ts';
import type { FinishedCall } from './finished-call.ts';
import { recordedServer, type RecordedServer } from './testing/recorded-server.ts';
import { onceTrue } from './testing/rounds.ts';
import { Talk } from './testing/talk.ts';

const CLIENT = '203.0.113.7';
const request = (path = '/get_height', headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const forwarded = request('/get_height', `X-Forwarded-For: ${CLIENT}\r\n`);

let node: RecordedServer;
let calls: FinishedCall[];
async function start(more: object = {}): Promise<void> {
  calls = [];
  const onCall = (call: FinishedCall): void => void calls.push(call);
  node = await recordedServer(more, { onCall });
}
afterEach(() => node.stop());

/** Resolves with the addresses of the calls, when that many have ended. */
async function callers(count: number): Promise<(string | undefined)[]> {
  while (calls.length < count) await new Promise((resolve) => setImmediate(resolve));
  return calls.map(({ address }) => address);
}

const head = async (talk: Talk, text: string): Promise<string> => (await talk.ask(text)).head;

test('a port that becomes restricted closes its connections and hides calls at once', async () => {
  await start();
  const owner = await Talk.open(node.port);
  const restricted = await Talk.open(node.restrictedPort);
  expect(await head(owner, request('/get_peer_list'))).toContain('200');
  expect(await head(restricted, request())).toContain('200');
  node.server.prepare({ restrictedRpc: true })();
  expect(await head(owner, request('/get_peer_list'))).toBe('');
  expect(await head(restricted, request())).toContain('200');
  const again = await Talk.open(node.port);
  expect(await head(again, request('/get_peer_list'))).toContain('404');
  expect(node.server.addresses.map((address) => address.restricted)).toEqual([true, true]);
  again.close();
  node.server.prepare({ restrictedRpc: false })();
  const later = await Talk.open(node.port);
  expect(await head(later, request('/get_peer_list'))).toContain('200');
  later.close();
  restricted.close();
});

test('proxies are trusted, and trusted no more, from the next request on', async () => {
  await start();
  const talk = await Talk.open(node.port);
  await talk.ask(forwarded);
  node.server.prepare({ trustedProxies: ['127.0.0.0/8'] })();
  await talk.ask(forwarded);
  node.server.prepare({ trustedProxies: [] })();
  await talk.ask(forwarded);
  expect(await callers(3)).toEqual(['127.0.0.1', CLIENT, '127.0.0.1']);
  talk.close();
});

test('limits of connections hold for new ones', async () => {
  await start();
  const open = await Promise.all([1, 2, 3].map(() => Talk.open(node.port)));
  for (const talk of open) expect(await head(talk, request())).toContain('200');
  node.server.prepare({ maxConnections: 3, maxConnectionsPerPrivateIp: 3 })();
  const refused = await Talk.open(node.port);
  expect(await head(refused, request())).toBe('');
  for (const talk of open) expect(await head(talk, request())).toContain('200');
  node.server.prepare({ maxConnections: 10, maxConnectionsPerPrivateIp: 4 })();
  const fourth = await Talk.open(node.port);
  expect(await head(fourth, request())).toContain('200');
  for (const talk of [...open, fourth]) talk.close();
});

test('requests of a connection come one after another across a change', async () => {
  await start();
  const amounts = Array.from({ length: 20_000 }, (_, i) => i + 1).join();
  const body = `{"method":"get_output_histogram","params":{"amounts":[${amounts}]}}`;
  let reads = 0;
  const { store } = node.chain;
  const outputCount = store.outputCount.bind(store);
  const spy = jest.spyOn(store, 'outputCount').mockImplementation((...asked) => {
    reads++;
    return outputCount(...asked);
  });
  const socket = connect(node.port, '127.0.0.1');
  socket.write(
    `POST /json_rpc HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await onceTrue(() => reads > 0);
  node.server.prepare({ maxConnections: 50 })();
  socket.write(request());
  await callers(2);
  expect(calls.map(({ method }) => method)).toEqual(['get_output_histogram', 'get_height']);
  socket.destroy();
  spy.mockRestore();
});

test('values that contradict each other change nothing', async () => {
  await start();
  const refused = [
    { trustedProxies: ['nonsense'], restrictedRpc: true },
    { maxConnections: 2, restrictedRpc: true },
  ];
  for (const changes of refused)
    expect(() => node.server.prepare(changes)).toThrow(RpcOptionsError);
  const talk = await Talk.open(node.port);
  expect(await head(talk, request('/get_peer_list'))).toContain('200');
  talk.close();
});
