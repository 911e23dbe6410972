import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { guardServer } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { FleetWatch } from './fleet-watch.ts';

interface Mate {
  readonly port: number;
  status: number;
  text: string;
  /** Paths asked for. */
  readonly asked: string[];
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Starts a node of the fleet that answers as told; with an empty text it never answers. */
async function mate(text: string, status = 200): Promise<Mate> {
  const asked: string[] = [];
  const server = guardServer(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      if (it.text !== '')
        response
          .writeHead(it.status, { 'Content-Length': Buffer.byteLength(it.text) })
          .end(it.text);
    }),
    () => undefined,
  );
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const it: Mate = { port: (server.address() as AddressInfo).port, status, text, asked };
  return it;
}

/** Returns the height that a watch knows after its first round. */
async function heightOf(...mates: readonly { port: number }[]): Promise<number> {
  const watch = new FleetWatch(mates.map(({ port }) => ({ host: '127.0.0.1', port })));
  await watch.start();
  await watch.stop();
  return watch.height;
}

test('the greatest height counts, of ready nodes and others', async () => {
  const first = await mate('{"status":"ready","height":7}');
  const second = await mate('{"status":"not ready","reasons":["stopping"],"height":9}', 503);
  expect(await heightOf(first, second)).toBe(9);
  expect(first.asked).toEqual(['/health/ready']);
});

test('a fleet of one has nobody to ask', async () => {
  expect(await heightOf()).toBe(0);
});

test.each([
  ['no answer', ''],
  ['no JSON', 'height 7'],
  ['no height', '{"status":"ready"}'],
  ['null', 'null'],
  ['a negative height', '{"height":-1}'],
  ['a height that is a text', '{"height":"7"}'],
  ['a height that is no number of blocks', '{"height":1e300}'],
  ['a long answer', JSON.stringify({ height: 7, more: 'x'.repeat(5_000) })],
])('%s counts as no node', async (_what, text) => {
  expect(await heightOf(await mate(text), await mate('{"height":3}'))).toBe(3);
});

test('a compressed answer, which could become any length, counts as no node', async () => {
  const server = guardServer(
    createServer((_, response) => {
      const body = gzipSync('{"height":7}');
      const headers = { 'Content-Encoding': 'gzip', 'Content-Length': body.length };
      response.writeHead(200, headers).end(body);
    }),
    () => undefined,
  );
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await heightOf({ port }, await mate('{"height":3}'))).toBe(3);
});

test('a node that has gone counts as absent', async () => {
  expect(await heightOf({ port: 1 })).toBe(0);
});

test('heights are asked for again until the stop', async () => {
  const it = await mate('{"height":1}');
  const watch = new FleetWatch([{ host: '127.0.0.1', port: it.port }], 5);
  await watch.start();
  expect(watch.height).toBe(1);
  it.text = '{"height":2}';
  await until(() => watch.height === 2);
  await watch.stop();
});
