import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { guardServer } from '@monero-node/base';
import { askNode, FRESH_MS, MAX_NODES, readAnswer, writeAnswer } from './fleet-answer.ts';
import { Signer } from './statement.ts';

const tip = { height: 7, id: 'ab'.repeat(32), work: 0x70n };
const statement = new Signer().sign({ isReady: true, tip });
/** An answer with statements of some ages. */
const answerOf = (...ages: readonly number[]): string =>
  writeAnswer(ages.map((age) => ({ statement, age })));

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Starts a server and returns its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = guardServer(createServer(answer), () => undefined);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the address of a node that answers with a text. */
const nodeOf = (text: string, status = 200): Promise<string> =>
  serve((_, response) =>
    response.writeHead(status, { 'Content-Length': Buffer.byteLength(text) }).end(text),
  );
/** Milliseconds; more than any machine needs. */
const LONG = 60_000;

test('what is read is what was written', () => {
  expect(readAnswer(JSON.parse(answerOf(0, 1234.4)))).toEqual([
    { statement, age: 0 },
    { statement, age: 1234 },
  ]);
});

test('a node is asked at its path for fleets', async () => {
  let url: string | undefined;
  const address = await serve((request, response) => {
    ({ url } = request);
    const text = answerOf(0);
    response.setHeader('Content-Length', text.length).end(text);
  });
  expect(await askNode(address, LONG)).toEqual([{ statement, age: 0 }]);
  expect(url).toBe('/health/fleet');
});

test('the largest answer is taken', async () => {
  const ages = Array.from({ length: MAX_NODES }, () => FRESH_MS);
  expect(await askNode(await nodeOf(answerOf(...ages)), LONG)).toHaveLength(MAX_NODES);
});

test.each([
  ['null', 'null'],
  ['no list', '{"statements":{}}'],
  ['nothing', '{"statements":[]}'],
  ['too many', answerOf(...Array.from({ length: MAX_NODES + 1 }, () => 0))],
  ['no statement', '{"statements":[["ab",0]]}'],
  ['no row', '{"statements":[7]}'],
  ['no age', `{"statements":[["${statement.text}"]]}`],
  ['a statement from the future', answerOf(-1)],
  ['a statement that counts no more', answerOf(FRESH_MS + 1)],
  ['an answer of /health/ready', '{"status":"ready","height":999999}'],
])('a node that says %s has said nothing', async (_what, text) => {
  await expect(askNode(await nodeOf(text), LONG)).rejects.toThrow(TypeError);
});

test('a node has said nothing with another status than 200, or with more than any fleet says', async () => {
  await expect(askNode(await nodeOf(answerOf(0), 503), LONG)).rejects.toThrow(TypeError);
  const long = answerOf(0) + ' '.repeat(40_000);
  await expect(askNode(await nodeOf(long), LONG)).rejects.toThrow(TypeError);
});

test('a node has said nothing when its answer is compressed, which could become any length', async () => {
  const address = await serve((_, response) => {
    const body = gzipSync(answerOf(0));
    response
      .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': body.length })
      .end(body);
  });
  await expect(askNode(address, LONG)).rejects.toThrow(TypeError);
});

test('a node is given up when it says no JSON, says nothing in time, or has gone', async () => {
  await expect(askNode(await nodeOf('height 7'), LONG)).rejects.toThrow(SyntaxError);
  const silent = await serve(() => undefined);
  await expect(askNode(silent, 20)).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(askNode('127.0.0.1:1', LONG)).rejects.toThrow('fetch failed');
});

test('a question ends when it is stopped', async () => {
  const stop = new AbortController();
  const silent = await serve(() => stop.abort());
  await expect(askNode(silent, LONG, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
});
