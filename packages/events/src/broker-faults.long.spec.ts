/** @jest-environment node */
import { until } from '@monero-node/base/testing';
import { jetstreamManager, RetentionPolicy, DiscardPolicy } from '@nats-io/jetstream';
import { jest } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestBlocks } from './backfill/backfill-client.ts';
import { connectEvents } from './broker/connect.ts';
import { defaultNaming } from './broker/names.ts';
import { EventStream } from './consume/event-stream.ts';
import { describeWithNats, NatsServer } from './testing/nats-server.ts';
import { Lines, MemoryHandler, Publishing } from './testing/publishing.ts';

/** Milliseconds for what takes a few seconds on a machine that does nothing else. */
const PATIENCE = 30_000;
jest.setTimeout(4 * PATIENCE);

type Connection = Awaited<ReturnType<NatsServer['connect']>>;

const CHAIN = 'MONERO_REGTEST_CHAIN';
const POOL = 'MONERO_REGTEST_POOL';

let server: NatsServer;
let ends: (() => Promise<unknown>)[];
beforeEach(() => (ends = []));
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

async function broker(config?: string): Promise<NatsServer> {
  server = await NatsServer.start(config);
  ends.push(() => server.remove());
  return server;
}

async function connection(): Promise<Connection> {
  const made = await server.connect();
  ends.push(() => made.close());
  return made;
}

async function publishing(
  options: Partial<Parameters<typeof Publishing.start>[0]> = {},
  blocks = 3,
  nonce = 0,
): Promise<Publishing> {
  const made = await Publishing.start({ server: server.url, ...options }, blocks, nonce);
  ends.push(() => made.stop());
  return made;
}

async function following(network = 'regtest', reader?: Connection) {
  const handler = new MemoryHandler();
  const lines = new Lines();
  const dependencies = {
    connection: reader ?? (await connection()),
    handler,
    logger: lines.logger,
  };
  const stream = new EventStream(defaultNaming(network), dependencies);
  ends.push(() => stream.stop());
  await stream.start();
  return { handler, lines };
}

async function manager() {
  return jetstreamManager(await connection(), { checkAPI: false });
}

describeWithNats('a consumer', () => {
  test('goes on after its stream was deleted, without a new block', async () => {
    await broker();
    await publishing();
    const { handler } = await following();
    await until(() => handler.height === 3, PATIENCE);
    const before = handler.current;
    await (await manager()).streams.delete(CHAIN);
    await until(() => handler.current > before, PATIENCE);
    expect(handler.height).toBe(3);
  });

  test('goes on after the consumer was removed at the broker, and after the stream was emptied', async () => {
    await broker();
    const node = await publishing();
    const { handler } = await following();
    await until(() => handler.height === 3, PATIENCE);
    const jsm = await manager();
    for await (const { name } of jsm.consumers.list(CHAIN)) await jsm.consumers.delete(CHAIN, name);
    await node.mine();
    await until(() => handler.height === 4, PATIENCE);
    await jsm.streams.purge(CHAIN);
    await node.mine();
    await until(() => handler.height === 5, PATIENCE);
  });

  test('of a network that nobody publishes says which streams there are', async () => {
    await broker();
    const node = await publishing();
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    const { lines } = await following('stagenet');
    await until(() => lines.has('no stream MONERO_STAGENET_CHAIN'), PATIENCE);
    expect(lines.all).toHaveLength(1);
    expect(lines.all[0]).toContain(`but ${CHAIN}`);
  });

  test('says that the broker is away, and that it is back', async () => {
    await broker();
    await publishing();
    const { handler, lines } = await following();
    await until(() => handler.height === 3, PATIENCE);
    await server.stop();
    await until(() => lines.has('the connection to the broker is lost'), PATIENCE);
    await server.run(server.withJetStream());
    await until(() => lines.has('Events of MONERO_REGTEST are read again'), PATIENCE);
  });
});

test('a network that there is not is refused', () => {
  expect(() => defaultNaming('nonsense')).toThrow('no network nonsense; there are mainnet');
});

describeWithNats('a publisher', () => {
  /** Has a stream made otherwise than the node would make it. */
  async function withStream(name: string, subjects: string[], more: object = {}): Promise<void> {
    await broker();
    await (await manager()).streams.add({ name, subjects, ...more });
  }

  test('that meets a full stream is in one state, though the pool can be published', async () => {
    const full = { max_msgs: 2, discard: DiscardPolicy.New };
    await withStream(CHAIN, ['monero.regtest.chain'], full);
    const { lines, publisher, poolEvents } = await publishing();
    await until(() => lines.has('maximum messages exceeded'), PATIENCE);
    expect(lines.with('are not published')[0]).toContain('Make room: ');
    for (let i = 0; i < 5; i++) {
      poolEvents.emit('published', [{ id: new Uint8Array(32) }]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(publisher.status).toMatchObject({ isConnected: true, publishedHeight: 1, lag: 2 });
    expect(lines.with('again')).toEqual([]);
    await (await manager()).streams.update(CHAIN, { max_msgs: -1 });
    await until(() => lines.has('published again'), PATIENCE);
    expect(publisher.status).toMatchObject({ publishedHeight: 3, lag: 0, problem: undefined });
  });

  test.each([
    ['other subjects', ['a.b'], {}, 'takes a.b, not monero.regtest.chain. '],
    [
      'a work queue',
      ['monero.*.chain'],
      { retention: RetentionPolicy.Workqueue },
      'has the retention workqueue',
    ],
    ['short messages', ['monero.*.chain'], { max_msg_size: 100 }, 'takes messages of 100 bytes'],
  ])('that meets a stream with %s says so', async (_, subjects, more, reason) => {
    await withStream(CHAIN, subjects, more);
    const { lines } = await publishing();
    await until(() => lines.has(reason), PATIENCE);
    // The stream of the pool may have been made by then, which is told too.
    const troubles = lines.with('are not published');
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toMatch(/nats stream |--events-stream/);
  });

  test('that meets an unfit stream of the pool publishes blocks', async () => {
    await withStream(POOL, ['a.b']);
    const { lines, publisher } = await publishing();
    await until(() => lines.has(`the stream ${POOL} takes a.b`), PATIENCE);
    await until(() => publisher.status.lag === 0, PATIENCE);
    expect(lines.with('again')).toEqual([]);
  });

  test('publishes the figures of the chain to a stream of the pool with short messages', async () => {
    await withStream(POOL, ['monero.regtest.pool.*', 'monero.regtest.counters'], {
      max_msg_size: 4096,
    });
    const node = await publishing();
    const jsm = await manager();
    const appear = async (height: number): Promise<void> => {
      while (!(await figures()).includes(`"height":${height}`)) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const figures = async (): Promise<string> => {
      const question = { last_by_subj: 'monero.regtest.counters' };
      return (await jsm.streams.getMessage(POOL, question).catch(() => null))?.string() ?? '';
    };
    await appear(4);
    await node.mine();
    await appear(5);
    expect(node.lines.with('not published')).toEqual([]);
  });

  test('whose subjects another stream takes says which one', async () => {
    await withStream('FOO', ['monero.regtest.chain']);
    const { lines } = await publishing();
    await until(() => lines.has(`${CHAIN} cannot be made: FOO takes the subject`), PATIENCE);
  });

  test('cuts blocks into parts that a stream takes', async () => {
    const short = { max_msg_size: 8192 };
    await withStream(CHAIN, ['monero.regtest.chain'], short);
    const { publisher } = await publishing();
    await until(() => publisher.status.lag === 0, PATIENCE);
  });

  test('of less work than the stream waits', async () => {
    await broker();
    const first = await publishing({}, 3, 1);
    await until(() => first.publisher.status.lag === 0, PATIENCE);
    await first.publisher.stop();
    const behind = await publishing({}, 2, 2);
    await until(() => behind.publisher.status.isBehind, PATIENCE);
    expect(behind.publisher.status.publishedHeight).toBe(3);
    expect(behind.lines.has('Events are published')).toBe(false);
    await behind.mine(3);
    await until(() => behind.publisher.status.lag === 0, PATIENCE);
    expect(behind.publisher.status.isBehind).toBe(false);
    await until(() => behind.lines.has('ends with block 5'), PATIENCE);
  });

  test('without JetStream says how to start the broker', async () => {
    await broker('');
    const { lines } = await publishing();
    await until(() => lines.has('with JetStream (-js)'), PATIENCE);
  });

  test('makes a deleted stream of the pool anew, with the figures of the chain, and says so', async () => {
    await broker();
    const { lines } = await publishing();
    const jsm = await manager();
    const figures = async (): Promise<number> =>
      (await jsm.streams.info(POOL).catch(() => undefined))?.state.messages ?? 0;
    const appear = async (): Promise<void> => {
      while ((await figures()) !== 1) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await appear();
    await jsm.streams.delete(POOL);
    await appear();
    expect(lines.with(`${POOL} was missing`)).toHaveLength(2);
    await jsm.streams.purge(POOL);
    await appear();
  });
});

describeWithNats('permissions', () => {
  const users = (node: string): string => `
    authorization { users: [
      { user: node, password: a, permissions: { ${node} } }
      { user: admin, password: b }
    ] }
    no_auth_user: admin`;

  function credentials(text: string, name = 'login'): string {
    const path = join(server.folder, name);
    writeFileSync(path, text);
    return path;
  }

  test('for requests of older blocks that come later are used', async () => {
    const denied = users('subscribe: { deny: "monero.regtest.backfill" }');
    await broker();
    await server.stop();
    await server.run(server.withJetStream(denied));
    const { lines, publisher } = await publishing({ credentialsFile: credentials('node:a') });
    await until(() => lines.has('get no older blocks from this node'), PATIENCE);
    expect(publisher.status.backfill.isServing).toBe(false);
    server.configure(server.withJetStream(users('')));
    server.reload();
    await until(() => lines.has('get older blocks from this node again'), PATIENCE);
    expect(publisher.status.backfill.isServing).toBe(true);
    const to = {
      height: 0,
      id: '418015bb9ae982a1975da7d79277c2705727a56894ba0fb246adaabb1f4632e3',
    };
    const [block] = await requestBlocks(await connection(), 'monero.regtest.backfill', {
      from: 0,
      to,
    });
    expect(block?.height).toBe(0);
    expect(publisher.status.backfill.answered).toBe(1);
  });

  test('to publish that are missing are named', async () => {
    await broker();
    await server.stop();
    await server.run(server.withJetStream(users('publish: { deny: "monero.regtest.chain" }')));
    const { lines } = await publishing({ credentialsFile: credentials('node:a') });
    await until(() => lines.has('Allow this login to publish to monero.regtest.chain'), PATIENCE);
  });

  test('to read a stream that are missing are named, by a node and by a consumer', async () => {
    await broker();
    const first = await publishing();
    await until(() => first.publisher.status.lag === 0, PATIENCE);
    await first.publisher.stop();
    await server.stop();
    const denied = '"$JS.API.CONSUMER.MSG.NEXT.>"';
    await server.run(server.withJetStream(users(`publish: { deny: ${denied} }`)));
    const left = `monero.regtest.pool.${'ab'.repeat(32)}`;
    await (await connection()).request(left, '', { timeout: PATIENCE });
    const credentialsFile = credentials('node:a');
    const { lines } = await publishing({ credentialsFile });
    const missing = (stream: string): string => `"$JS.API.CONSUMER.MSG.NEXT.${stream}.>"`;
    await until(() => lines.has(missing(POOL)), PATIENCE);
    expect(lines.with('Allow this login to publish to $JS.API.CONSUMER.MSG.NEXT')).toHaveLength(1);
    const reader = await connectEvents({ servers: server.url, credentialsFile });
    ends.push(() => reader.close());
    const { handler, lines: said } = await following('regtest', reader);
    await until(() => said.has(missing(CHAIN)), PATIENCE);
    expect(handler.height).toBe(3);
    expect(said.with('again.')).toEqual([]);
    server.configure(server.withJetStream(users('')));
    server.reload();
    await until(() => lines.has('Events are published again'), PATIENCE);
    await until(() => said.has('are read again'), PATIENCE);
  });

  test('that cannot be read at first are used once they can', async () => {
    await broker();
    const credentialsFile = join(server.folder, 'later');
    const node = await publishing({ credentialsFile });
    await until(() => node.lines.has('Correct the file of --events-credentials'), PATIENCE);
    credentials('node:a', 'later');
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    await until(() => node.lines.has('Events are published again'), PATIENCE);
  });

  test('of a login that is refused for a while are used again, with a new password', async () => {
    await broker();
    await server.stop();
    await server.run(server.withJetStream(users('')));
    const node = await publishing({ credentialsFile: credentials('node:a') });
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    await server.stop();
    await server.run(server.withJetStream(users('').replace('password: a', 'password: new')));
    await node.mine();
    await until(() => node.lines.has('Check --events-credentials'), PATIENCE);
    credentials('node:new');
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    await until(() => node.lines.has('Events are published again'), PATIENCE);
  });
});
