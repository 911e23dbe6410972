import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { silentLogger } from '@monero-node/base';
import type { RpcChain } from '../../dependencies.ts';
import { RpcServer } from '../../server.ts';
import { ask } from '../../testing/http.ts';
import { madeUpChain } from '../../testing/made-up-chain.ts';
import { onceTrue } from '../../testing/rounds.ts';
import { AnswerMemory } from './answer-memory.ts';
import { MemoryBudget } from './memory-budget.ts';

describe('what an answer holds', () => {
  function setUp(limit: number): { memoryOf: (name: string) => AnswerMemory; given: string[] } {
    const given: string[] = [];
    const budget = new MemoryBudget(limit);
    const memoryOf = (name: string): AnswerMemory =>
      new AnswerMemory(budget, { name }, (bytes) => given.push(`${name} ${bytes}`));
    return { memoryOf, given };
  }

  test('counts what is kept and what is unsent, as both grow and shrink', () => {
    const { memoryOf, given } = setUp(100);
    const [a, b] = [memoryOf('a'), memoryOf('b')];
    a.keep(30);
    a.setUnsent(20);
    b.keep(50);
    expect(given).toEqual([]);
    a.setUnsent(10);
    b.keep(60);
    expect(given).toEqual([]);
    b.setUnsent(1);
    expect(given).toEqual(['b 61']);
  });

  test('an answer that grows beyond the limit is abandoned, and counts no more', () => {
    const { memoryOf, given } = setUp(100);
    const [small, large] = [memoryOf('small'), memoryOf('large')];
    small.keep(20);
    large.keep(70);
    large.keep(90);
    expect(given).toEqual(['large 90']);
    large.keep(1000);
    expect(given).toHaveLength(1);
    small.keep(100);
    expect(given).toHaveLength(1);
  });

  test('one that is alone may hold more than the limit', () => {
    const { memoryOf, given } = setUp(100);
    const only = memoryOf('only');
    only.keep(90);
    only.keep(500);
    expect(given).toEqual([]);
    memoryOf('other').keep(30);
    expect(given).toEqual(['only 500']);
  });

  test('what is stated after the end is not counted', () => {
    const { memoryOf, given } = setUp(100);
    const ended = memoryOf('ended');
    ended.keep(100);
    ended.end();
    ended.keep(100);
    memoryOf('other').keep(100);
    expect(given).toEqual([]);
  });
});

const HEIGHT = 2_000_000;

/** A chain in which each block made a hundred RingCT outputs. */
const longChain = (): RpcChain =>
  madeUpChain({
    height: HEIGHT,
    metaOf: (height) => ({ cumulativeRctOutputs: 100 * (height + 1) }),
  });

/** The whole distribution, 20 MB of text. */
const DISTRIBUTION =
  '{"method":"get_output_distribution","params":{"amounts":[0],"binary":false,"cumulative":true}}';
const READERS = 10;

test('numbers kept for clients that do not read are counted: some of ten lose their answers', async () => {
  const abandoned: number[] = [];
  const warn = (message: string): void => {
    const [, bytes] = /held (\d+) bytes/.exec(message) ?? [];
    if (bytes !== undefined) abandoned.push(Number(bytes));
  };
  const server = new RpcServer(
    { bindPort: 0, restrictedRpc: true },
    { blockchain: longChain(), logger: { ...silentLogger, warn } },
  );
  await server.start();
  const port = server.ports.main ?? 0;
  const sockets: Socket[] = [];
  for (let i = 0; i < READERS; i++) {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const head = `POST /json_rpc HTTP/1.1\r\nHost: x\r\nContent-Length: ${DISTRIBUTION.length}\r\n\r\n`;
    socket.write(head + DISTRIBUTION);
    sockets.push(socket);
  }
  // 8 bytes for each block; eight lists are all that 128 MiB hold.
  const expected = READERS - 8;
  await onceTrue(() => abandoned.length >= expected);
  expect(Math.min(...abandoned)).toBeGreaterThanOrEqual(8 * HEIGHT);
  const body = DISTRIBUTION.replace('"amounts"', `"from_height":${HEIGHT - 2},"amounts"`);
  const end = await ask(port, { path: '/json_rpc', body });
  expect(end.body.toString()).toContain('"distribution": [199999900,200000000]');
  for (const socket of sockets) socket.destroy();
  await server.stop();
});
