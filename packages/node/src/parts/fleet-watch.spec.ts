import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { guardServer, silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { FleetWatch, type FleetNode, type FleetWatchOptions } from './fleet-watch.ts';

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

const ID = 'ab'.repeat(32);
/** The answer of a node at a height, whose blocks took 16 hashes each. */
const readyAt = (height: number, changes: object = {}): string =>
  JSON.stringify({
    status: 'ready',
    height,
    top_hash: ID,
    wide_cumulative_difficulty: `0x${height.toString(16)}0`,
    ...changes,
  });

const nodesOf = (mates: readonly { port: number }[]): FleetNode[] =>
  mates.map(({ port }) => ({ host: '127.0.0.1', port }));
const watchOf = (mates: readonly { port: number }[], more: Partial<FleetWatchOptions> = {}) =>
  new FleetWatch({ nodes: nodesOf(mates), logger: silentLogger, ...more });

/** Returns the height of the tip that a watch knows after its first round. */
async function heightOf(...mates: readonly { port: number }[]): Promise<number | undefined> {
  const watch = watchOf(mates);
  await watch.start();
  await watch.stop();
  return watch.tip?.height;
}

test('the tip that most of the ready nodes vouch for counts', async () => {
  const [one, two, three] = [await mate(readyAt(7)), await mate(readyAt(9)), await mate('')];
  expect(await heightOf(one)).toBe(7);
  expect(await heightOf(one, two, three)).toBe(7);
  three.text = readyAt(9);
  expect(await heightOf(one, two, three)).toBe(9);
  expect(one.asked).toEqual(Array(3).fill('/health/ready'));
});

test('a node that is not ready has no vote, whatever it claims', async () => {
  const liar = await mate('{"status":"not ready","height":999999}', 503);
  expect(await heightOf(liar)).toBeUndefined();
  liar.text = readyAt(999_999, { status: 'not ready' });
  expect(await heightOf(liar)).toBeUndefined();
  liar.status = 200;
  expect(await heightOf(liar, await mate(readyAt(3)))).toBe(3);
});

test('of three nodes, one that lies does not decide', async () => {
  const liar = await mate(readyAt(999_999));
  expect(await heightOf(liar, await mate(readyAt(7)))).toBe(7);
});

test('a fleet of one has nobody to ask', async () => {
  expect(await heightOf()).toBeUndefined();
});

test.each([
  ['no answer', ''],
  ['no JSON', 'height 7'],
  ['no height', readyAt(7, { height: undefined })],
  ['a bare height', '{"status":"ready","height":7}'],
  ['null', 'null'],
  ['a negative height', readyAt(7, { height: -1 })],
  ['a height that is a text', readyAt(7, { height: '7' })],
  ['a height that is no number of blocks', readyAt(7, { height: 1e300 })],
  ['an id that is none', readyAt(7, { top_hash: 'ab' })],
  ['work without an end', readyAt(7, { wide_cumulative_difficulty: `0x${'f'.repeat(33)}` })],
  ['work that is no number', readyAt(7, { wide_cumulative_difficulty: 'much' })],
  ['a long answer', readyAt(7, { more: 'x'.repeat(5_000) })],
])('%s counts as no node', async (_what, text) => {
  expect(await heightOf(await mate(text), await mate(readyAt(3)))).toBe(3);
});

test('a compressed answer, which could become any length, counts as no node', async () => {
  const server = guardServer(
    createServer((_, response) => {
      const body = gzipSync(readyAt(7));
      const headers = { 'Content-Encoding': 'gzip', 'Content-Length': body.length };
      response.writeHead(200, headers).end(body);
    }),
    () => undefined,
  );
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await heightOf({ port }, await mate(readyAt(3)))).toBe(3);
});

test('a node that has gone counts as absent', async () => {
  expect(await heightOf({ port: 1 })).toBeUndefined();
});

test('tips are asked for again until the stop', async () => {
  const it = await mate(readyAt(1));
  const watch = watchOf([it], { interval: 5 });
  await watch.start();
  expect(watch.tip).toEqual({ height: 1, id: ID, work: 16n });
  it.text = readyAt(2);
  await until(() => watch.tip?.height === 2);
  await watch.stop();
});

test('a node that finds itself in the list, at whatever address, has no vote of its own', async () => {
  const [self, other] = [await mate(readyAt(3)), await mate(readyAt(9))];
  const watch = watchOf([self, other], { interval: 5 });
  // As in a fleet of two whose names lead to published ports.
  self.text = readyAt(3, { instance_id: watch.instanceId });
  other.text = readyAt(9, { instance_id: watchOf([self]).instanceId });
  await watch.start();
  expect(watch.tip?.height).toBe(9);
  other.status = 503;
  await until(() => watch.tip === undefined);
  await watch.stop();
});

test('a process has an id of its own, and none without a fleet', () => {
  const [one, two] = [watchOf([{ port: 1 }]), watchOf([{ port: 1 }])];
  expect(one.instanceId).toMatch(/^[0-9a-f]{32}$/);
  expect(two.instanceId).not.toBe(one.instanceId);
  expect(watchOf([]).instanceId).toBeUndefined();
});

test('addresses of the fleet are known, and a name that does not resolve is logged once per change', async () => {
  const lines: string[] = [];
  const logger = {
    ...silentLogger,
    warn: (line: string) => void lines.push(line),
    info: (line: string) => void lines.push(line),
  };
  let addresses = undefined as string[] | undefined;
  let asked = 0;
  const resolve = (): Promise<string[]> => {
    asked++;
    const error = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    return addresses === undefined ? Promise.reject(error) : Promise.resolve(addresses);
  };
  const nodes = [{ host: 'node.invalid', port: 18089 }];
  const watch = watchOf([], { nodes, logger, resolve, interval: 5 });
  await watch.start();
  await until(() => asked > 3);
  expect(lines).toEqual([
    '--fleet-node node.invalid:18089: the name does not resolve (ENOTFOUND), so that node has no vote',
  ]);
  expect(watch.has('10.0.0.2')).toBe(false);
  addresses = ['10.0.0.2', '2001:db8::2'];
  await until(() => lines.length > 1);
  expect(lines[1]).toBe('--fleet-node node.invalid:18089: the name resolves again');
  for (const address of [...addresses, '::ffff:10.0.0.2']) expect(watch.has(address)).toBe(true);
  expect(watch.has('10.0.0.3')).toBe(false);
  await watch.stop();
});
