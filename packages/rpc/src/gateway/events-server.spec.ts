import { jest } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import type { PoolTransaction } from '@monero-node/mempool';
import type { FinishedCall } from '../finished-call.ts';
import { CallerGroup } from '../scheduling/time-shares.ts';
import { ask } from '../testing/http.ts';
import { madeUpId } from '../testing/made-up-chain.ts';
import { madeUpPage } from '../testing/made-up-page.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { onceTrue } from '../testing/rounds.ts';
import { Visitor } from '../testing/visitor.ts';

const PATH = '/events';

let node: RecordedServer;
let observed: FinishedCall[];
const start = async (options: Parameters<typeof recordedServer>[0] = {}): Promise<void> => {
  observed = [];
  node = await recordedServer(options, { onCall: (call) => void observed.push(call) });
};
afterEach(() => node.stop());

const open = (port: number, more: Partial<Parameters<typeof Visitor.open>[0]> = {}) =>
  Visitor.open({ port, path: PATH, ...more });

const place = (height: number): string =>
  `${height}-${toHex(node.chain.store.blockMeta(height)?.id ?? new Uint8Array())}`;
const top = (): number => node.chain.height - 1;

const transaction = (n: number): PoolTransaction =>
  ({ id: madeUpId(n), fee: BigInt(n), weight: 1500, broadcast: true }) as PoolTransaction;
const publish = (from: number, count: number): void => {
  const transactions = Array.from({ length: count }, (_, i) => transaction(from + i));
  node.poolEvents.emit('published', transactions, { isNews: true });
};

test('both ports tell the same', async () => {
  await start();
  const { port, restrictedPort } = node;
  const [owner, stranger] = await Promise.all([open(port), open(restrictedPort)]);
  for (const visitor of [owner, stranger]) {
    expect(visitor.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await visitor.has(`id: ${place(top())}\nevent: position\n`);
  }
  publish(1, 2);
  await node.chain.popBlocks(1);
  for (const visitor of [owner, stranger]) {
    await visitor.has(`event: pool.added\ndata: {"id":"${toHex(madeUpId(2))}"`);
    await visitor.has(`id: ${place(top())}\nevent: block.removed\n`);
  }
  expect(stranger.text).toBe(owner.text);
});

test('a client goes on after a block: the header counts, then the query', async () => {
  await start();
  const path = `${PATH}?after=${place(top() - 2)}`;
  const byQuery = await open(node.port, { path });
  await byQuery.has(`id: ${place(top())}\nevent: block.added\n`);
  expect(byQuery.text.match(/^event: .*$/gm)).toEqual(['event: block.added', 'event: block.added']);
  const byHeader = await open(node.port, { path, headers: { 'Last-Event-ID': place(top() - 1) } });
  await byHeader.has(`id: ${place(top())}\nevent: block.added\n`);
  expect(byHeader.text.match(/^event: .*$/gm)).toEqual(['event: block.added']);
});

test('the browser of a page that was never told anything sends an empty id', async () => {
  await start();
  const visitor = await open(node.port, { headers: { 'Last-Event-ID': '' } });
  await visitor.has('event: position\n');
});

test.each(['?after=x', '?after=', '?before=3', '?', '?after=3&after=4'])(
  'refuses %s',
  async (query) => {
    await start();
    const { status, body } = await ask(node.port, { verb: 'GET', path: PATH + query });
    expect([status, body.toString()]).toEqual([
      400,
      expect.stringMatching(/HEIGHT-ID expected\n$/),
    ]);
  },
);

test('a refused position takes no seat, and HEAD opens no stream', async () => {
  await start();
  const first = await open(node.port);
  await first.has('event: position');
  for (let i = 0; i < 70; i += 1) {
    await ask(node.port, { verb: 'GET', path: `${PATH}?after=x` });
    const { status, body } = await ask(node.port, { verb: 'HEAD', path: PATH });
    expect([status, body.length]).toEqual([200, 0]);
  }
  publish(1, 1);
  await first.has('pool.added');
});

test('other verbs and paths are no events', async () => {
  await start();
  for (const asked of [
    { verb: 'POST', path: PATH },
    { verb: 'GET', path: `${PATH}/` },
    { verb: 'GET', path: `${PATH}x` },
  ])
    expect((await ask(node.port, asked)).status).toBe(404);
});

test('pages of other sites may not read them', async () => {
  await start({ corsOrigins: ['https://mine.example'] });
  const statusFor = async (origin: string): Promise<number> => {
    const visitor = await open(node.port, { headers: { Origin: origin } });
    visitor.leave();
    return visitor.status;
  };
  expect(await statusFor('https://other.example')).toBe(403);
  expect(await statusFor('https://mine.example')).toBe(200);
});

test('a name that was pointed at this machine is refused', async () => {
  await start();
  const visitor = await open(node.port, { headers: { Host: 'evil.example' } });
  expect(visitor.status).toBe(403);
});

test('the page has its own stream beside this one', async () => {
  const page = madeUpPage();
  observed = [];
  node = await recordedServer({ page: 'all' }, { page });
  const ofPage = await open(node.port, { path: page.eventsPath });
  await ofPage.has('{"view":"owner"}');
  await (await open(node.port)).has('event: position');
});

// Linux has all addresses of 127.0.0.0/8.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('128 clients of many hosts are served; a host with too many loses its oldest', async () => {
  await start({ maxConnectionsPerPrivateIp: 200, maxConnections: 400 });
  const { restrictedPort: port } = node;
  const readers: Visitor[] = [];
  for (let i = 0; i < 126; i += 1)
    readers.push(await open(port, { localAddress: `127.0.0.${2 + (i % 18)}` }));
  await node.chain.popBlocks(1);
  for (const reader of readers) await reader.has(`id: ${place(top())}\nevent: block.removed\n`);
  const greedy: Visitor[] = [];
  for (let i = 0; i < 9; i += 1) greedy.push(await open(port, { localAddress: '127.0.0.99' }));
  await greedy[0]?.ended;
  expect([greedy[0]?.isComplete, greedy[0]?.text.endsWith('retry: 60000\n\n')]).toEqual([
    true,
    true,
  ]);
  expect((await node.path('/get_height')).status).toBe(200);
  await node.chain.popBlocks(1);
  const open126 = readers.filter(({ isComplete }) => !isComplete);
  expect(open126.length).toBeGreaterThanOrEqual(120);
  for (const reader of [...open126, ...greedy.slice(1)])
    await reader.has(`id: ${place(top())}\nevent: block.removed\n`);
});

test('streams of many clients take turns, in the time of their port', async () => {
  await start();
  const { restrictedPort: port } = node;
  const readers = await Promise.all(Array.from({ length: 8 }, () => open(port)));
  for (const reader of readers) await reader.has('event: position');
  // Each round of the event loop reads the chain for one of them.
  let reads = 0;
  let mostInRound = 0;
  const spy = jest.spyOn(node.chain.store, 'blockMetas');
  const round = (): void => {
    mostInRound = Math.max(mostInRound, spy.mock.calls.length - reads);
    reads = spy.mock.calls.length;
    next = setImmediate(round);
  };
  let next = setImmediate(round);
  const charge = jest.spyOn(CallerGroup.prototype, 'charge');
  publish(1, 1);
  for (const reader of readers) await reader.has('event: pool.added');
  clearImmediate(next);
  expect(reads).toBeGreaterThanOrEqual(8);
  expect(mostInRound).toBe(1);
  expect(charge.mock.calls.length).toBeGreaterThanOrEqual(8);
  spy.mockRestore();
  charge.mockRestore();
});

test('a client that does not read is cut off, and the others go on', async () => {
  await start();
  const slow = await open(node.port);
  const quick = await open(node.port);
  await Promise.all([slow, quick].map((each) => each.has('event: position')));
  slow.pause();
  // More than the buffers of both ends of a connection take, and than is kept.
  for (let n = 1; n < 100_000; n += 1000) {
    quick.text = '';
    publish(n, 1000);
    await quick.has(toHex(madeUpId(n + 999)));
  }
  publish(200_000, 1);
  await quick.has(toHex(madeUpId(200_000)));
  slow.resume();
  await slow.ended;
  expect(slow.text).not.toContain(toHex(madeUpId(200_000)));
});

test('streams end properly when the server stops', async () => {
  await start();
  const { port, restrictedPort } = node;
  const visitors = await Promise.all([port, restrictedPort].map((each) => open(each)));
  for (const visitor of visitors) await visitor.has('event: position');
  await node.server.stop();
  await Promise.all(visitors.map(({ ended }) => ended));
  expect(visitors.map(({ isComplete }) => isComplete)).toEqual([true, true]);
  expect(node.poolEvents.eventNames()).toEqual([]);
});

test('metrics see the stream under one name', async () => {
  await start();
  const visitor = await open(node.port);
  await visitor.has('event: position');
  visitor.leave();
  await onceTrue(() => observed.length === 1);
  expect(observed[0]).toMatchObject({ method: 'events', status: '200' });
});

test('a quiet stream beats with a comment', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance'] });
  try {
    await start();
    const visitor = await open(node.port);
    await visitor.has('event: position');
    // The wait begins some rounds of the event loop after the first message was sent.
    while (!visitor.text.includes(': beat\n\n')) await jest.advanceTimersByTimeAsync(15_000);
  } finally {
    jest.useRealTimers();
  }
});
