import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { guardServer } from '@monero-node/base';
import { blocksBehind, tipAt, vouchedTip, type ChainTip } from './fleet-tip.ts';

const tip = (height: number, work = height * 100, id = `${height}`): ChainTip => {
  return { height, id, work: BigInt(work) };
};

test.each([
  [[], undefined],
  [[7], 7],
  [[7, 999_999], 7],
  [[7, 9, 999_999], 9],
  [[9, 3, 7], 7],
  [[9, 3, 7, 8], 7],
  [[9, 3, 7, 8, 5], 7],
])('of voters at %j, most have at least the work of %s', (heights, height) => {
  expect(vouchedTip(heights.map((each) => tip(each)))?.height).toBe(height);
});

test('work decides, not the number of blocks', () => {
  const heavy = tip(90, 20_000);
  expect(vouchedTip([tip(100, 10_000), heavy, tip(80, 30_000)])).toBe(heavy);
});

test('blocks that are missing are counted', () => {
  const own = tip(100);
  expect(blocksBehind(own, 100n, tip(101))).toBe(1);
  expect(blocksBehind(own, 100n, tip(120))).toBe(20);
  // The difficulty has risen.
  expect(blocksBehind(own, 100n, tip(102, 10_250))).toBe(2);
  // Blocks of long ago took less work than those of today.
  expect(blocksBehind(own, 1n, tip(5_000))).toBe(4_900);
});

test('a chain with as much work lacks nothing, however many blocks others have', () => {
  expect(blocksBehind(tip(100), 100n, tip(100))).toBe(0);
  expect(blocksBehind(tip(100), 100n, tip(100, 10_000, 'other'))).toBe(0);
  expect(blocksBehind(tip(100), 100n, tip(999_999, 10_000, 'other'))).toBe(0);
  // Whoever has this very block has its work.
  expect(blocksBehind(tip(100), 100n, tip(100, 99_999))).toBe(0);
});

test('a lighter branch lags by the work that it lacks', () => {
  expect(blocksBehind(tip(100, 5_000, 'light'), 50n, tip(100))).toBe(100);
  expect(blocksBehind(tip(100, 5_000, 'light'), 0n, tip(99, 5_007))).toBe(7);
});

describe('a node is asked for its tip', () => {
  const ID = 'ab'.repeat(32);
  const OWN_ID = 'the one that asks';
  /** Milliseconds; more than any machine needs. */
  const LONG = 60_000;
  /** The answer of a node with 7 blocks. */
  const readyWith = (changes: object = {}): string =>
    JSON.stringify({
      status: 'ready',
      height: 7,
      top_hash: ID,
      wide_cumulative_difficulty: '0x70',
      ...changes,
    });

  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });

  /** Starts a server and returns its URL. */
  async function serve(answer: RequestListener): Promise<string> {
    const server = guardServer(createServer(answer), () => undefined);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/health/ready`;
  }

  /** Returns the URL of a node that answers with a text. */
  const nodeOf = (text: string, status = 200): Promise<string> =>
    serve((_, response) =>
      response.writeHead(status, { 'Content-Length': Buffer.byteLength(text) }).end(text),
    );
  const ask = (url: string, timeout = LONG): Promise<ChainTip | undefined> =>
    tipAt(url, timeout, OWN_ID);

  test('and says it', async () => {
    const tip = { height: 7, id: ID, work: 0x70n };
    expect(await ask(await nodeOf(readyWith()))).toEqual(tip);
    expect(await ask(await nodeOf(readyWith({ instance_id: 'another' })))).toEqual(tip);
  });

  test.each([
    ['it is the one that asks', readyWith({ instance_id: OWN_ID })],
    ['it is not ready', readyWith({ status: 'not ready' })],
    ['it says no height', readyWith({ height: undefined })],
    ['it says a bare height', '{"status":"ready","height":7}'],
    ['it says null', 'null'],
    ['its height is negative', readyWith({ height: -1 })],
    ['its height is a text', readyWith({ height: '7' })],
    ['its height is no number of blocks', readyWith({ height: 1e300 })],
    ['its id is none', readyWith({ top_hash: 'ab' })],
    ['its work has no end', readyWith({ wide_cumulative_difficulty: `0x${'f'.repeat(33)}` })],
    ['its work is no number', readyWith({ wide_cumulative_difficulty: 'much' })],
    ['its answer is long', readyWith({ more: 'x'.repeat(5_000) })],
  ])('but has no vote when %s', async (_what, text) => {
    expect(await ask(await nodeOf(text))).toBeUndefined();
  });

  test('but has no vote with another status than 200, whatever it claims', async () => {
    expect(await ask(await nodeOf(readyWith(), 503))).toBeUndefined();
  });

  test('but has no vote when its answer is compressed, which could become any length', async () => {
    const url = await serve((_, response) => {
      const body = gzipSync(readyWith());
      const headers = { 'Content-Encoding': 'gzip', 'Content-Length': body.length };
      response.writeHead(200, headers).end(body);
    });
    expect(await ask(url)).toBeUndefined();
  });

  test('and is given up when it says no JSON, says nothing in time, or has gone', async () => {
    await expect(ask(await nodeOf('height 7'))).rejects.toThrow(SyntaxError);
    const silent = await serve(() => undefined);
    await expect(ask(silent, 20)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(ask('http://127.0.0.1:1/health/ready')).rejects.toThrow('fetch failed');
  });
});
