import { performance } from 'node:perf_hooks';
import { jest } from '@jest/globals';
import type { WebPage } from '../page/web-page.ts';
import { ask } from '../testing/http.ts';
import { madeUpPage } from '../testing/made-up-page.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { onceTrue } from '../testing/rounds.ts';
import { Visitor } from '../testing/visitor.ts';
import type { FinishedCall } from '../finished-call.ts';

const PATH = '/page/events';

const open = (
  port: number,
  headers?: Record<string, string>,
  localAddress?: string,
): Promise<Visitor> => Visitor.open({ port, path: PATH, headers, localAddress });

let page: WebPage;
let node: RecordedServer;
let observed: FinishedCall[];
beforeEach(async () => {
  page = madeUpPage();
  observed = [];
  const onCall = (call: FinishedCall): void => void observed.push(call);
  node = await recordedServer({ page: 'all' }, { page, onCall });
});
afterEach(() => node.stop());

test('a stream has the state of its port, then the changes', async () => {
  const owner = await open(node.port);
  const stranger = await open(node.restrictedPort);
  expect(owner.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  await owner.has('data: {"view":"owner"}\n\n');
  await stranger.has('data: {"view":"public"}\n\n');
  page.events.owner.publish('{"secret":1}');
  page.events.public.publish('{"known":1}');
  await owner.has('event: change\ndata: {"secret":1}\n\n');
  await stranger.has('event: change\ndata: {"known":1}\n\n');
  expect(stranger.text).not.toContain('secret');
});

test('a browser that comes back gets what it has missed', async () => {
  const first = await open(node.port);
  await first.has('"owner"');
  const id = /^id: (.*)$/m.exec(first.text)?.[1] ?? '';
  first.leave();
  page.events.owner.publish('{"missed":1}');
  const second = await open(node.port, { 'Last-Event-ID': id });
  await second.has('{"missed":1}');
  expect(second.text).not.toContain('event: state');
});

test('a host has a few streams: a new one ends the oldest, whose browser is told to come back later', async () => {
  const visitors: Visitor[] = [];
  for (let i = 0; i < 8; i++) {
    const visitor = await open(node.port);
    await visitor.has('"owner"');
    visitors.push(visitor);
  }
  const late = await open(node.port);
  await late.has('"owner"');
  const [oldest, ...others] = visitors;
  await oldest?.ended;
  expect([oldest?.isComplete, oldest?.text.endsWith('retry: 60000\n\n')]).toEqual([true, true]);
  page.events.owner.publish('{"after":1}');
  for (const visitor of [...others, late]) await visitor.has('{"after":1}');
});

// Linux has all addresses of 127.0.0.0/8.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('streams that a few hosts hold do not keep a visitor off the public page', async () => {
  await node.stop();
  const limits = { maxConnectionsPerPrivateIp: 40 };
  node = await recordedServer({ page: 'all', ...limits }, { page });
  const held: Visitor[] = [];
  for (let host = 2; host < 10; host++) {
    for (let i = 0; i < 4; i++) held.push(await open(node.restrictedPort, {}, `127.0.0.${host}`));
  }
  const visitor = await open(node.restrictedPort);
  await visitor.has('"public"');
  await held[0]?.ended;
  // The hosts that hold most have lost the streams since; the visitor keeps its own.
  for (let i = 0; i < 12; i++)
    held.push(await open(node.restrictedPort, {}, `127.0.0.${2 + (i % 8)}`));
  page.events.public.publish('{"still":1}');
  await visitor.has('{"still":1}');
  expect([held[0]?.isComplete, visitor.isComplete]).toEqual([true, false]);
});

test('HEAD opens no stream', async () => {
  for (let i = 0; i < 12; i++) {
    const { status, body } = await ask(node.port, { verb: 'HEAD', path: PATH });
    expect([status, body.length]).toEqual([200, 0]);
  }
  expect(page.events.owner.isWatched).toBe(false);
});

test('a visitor that leaves is forgotten', async () => {
  const visitor = await open(node.port);
  await visitor.has('"owner"');
  expect(page.events.owner.isWatched).toBe(true);
  visitor.leave();
  await onceTrue(() => !page.events.owner.isWatched);
});

test('calls are answered while streams are open', async () => {
  const visitors = await Promise.all(Array.from({ length: 8 }, () => open(node.port)));
  expect((await node.path('/get_height')).status).toBe(200);
  expect(visitors.map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test('a client that falls too far behind loses its stream; the others go on', async () => {
  const slow = await open(node.port);
  const quick = await open(node.port);
  await slow.has('"owner"');
  slow.pause();
  const filler = 'x'.repeat(200_000);
  // More than the buffers of both ends of a connection take, and than is kept.
  for (let i = 0; i < 100; i++) {
    quick.text = '';
    page.events.owner.publish(JSON.stringify({ i, filler }));
    await quick.has(`{"i":${i},`);
  }
  page.events.owner.publish('{"last":1}');
  await quick.has('{"last":1}');
  slow.resume();
  await slow.ended;
  expect(slow.text).not.toContain('{"last":1}');
});

test('a stream that cannot be opened takes no seat', async () => {
  const { owner } = page.events;
  const original = owner.open.bind(owner);
  owner.open = () => {
    throw new Error('no state');
  };
  for (let i = 0; i < 40; i += 1) await expect(open(node.port)).rejects.toThrow();
  owner.open = original;
  await (await open(node.port)).has('event: state');
});

test('streams end properly when the server stops', async () => {
  const ports = [node.port, node.restrictedPort];
  const visitors = await Promise.all(ports.map((port) => open(port)));
  for (const visitor of visitors) await visitor.has('event: state');
  await node.server.stop();
  await Promise.all(visitors.map(({ ended }) => ended));
  // A connection that is cut off after the time for answers under way leaves them incomplete.
  expect(visitors.map(({ isComplete }) => isComplete)).toEqual([true, true]);
});

test('metrics see requests of the page under one name, without the time that a stream is open', async () => {
  const visitor = await open(node.port);
  await visitor.has('"owner"');
  const now = performance.now.bind(performance);
  const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  visitor.leave();
  await onceTrue(() => observed.length === 1);
  const [call] = observed;
  expect(call).toMatchObject({ method: 'page', status: '200' });
  later.mockRestore();
  expect((call?.seconds ?? 0) - (call?.secondsToAnswer ?? 0)).toBeGreaterThan(59);
});
