/** @jest-environment node */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { toHex } from '@monero-node/codec';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { jest } from '@jest/globals';
import { connectEvents } from './broker/connect.ts';
import { defaultNaming } from './broker/names.ts';
import { EventGroup, type EventGroupOptions, type GroupEvent } from './consume/event-group.ts';
import { encodeEvent } from './encoding/encoding.ts';
import { LogAppender } from './publish/log-appender.ts';
import { exampleBlock } from './testing/example-block.ts';
import { describeWithNats, NatsServer } from './testing/nats-server.ts';
import { Lines, Publishing } from './testing/publishing.ts';

/** Milliseconds for what takes a few seconds on a machine that does nothing else. */
const PATIENCE = 30_000;
jest.setTimeout(4 * PATIENCE);

const CHAIN = 'MONERO_REGTEST_CHAIN';

let server: NatsServer;
let ends: (() => Promise<unknown>)[];
beforeEach(async () => {
  ends = [];
  server = await NatsServer.start();
  ends.push(() => server.remove());
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

/** A promise that a test resolves. */
class Gate {
  open: () => void = () => undefined;
  readonly passed = new Promise<void>((resolve) => (this.open = resolve));
}

type Connection = Awaited<ReturnType<NatsServer['connect']>>;
type Work = (event: GroupEvent) => Promise<void>;

async function connection(): Promise<Connection> {
  const made = await server.connect();
  ends.push(() => made.close());
  return made;
}

/** A program of a group, with a connection of its own. */
class Member {
  readonly taken: GroupEvent[] = [];
  readonly lines = new Lines();
  readonly connection: Connection;
  readonly group: EventGroup;

  private constructor(made: Connection, options: Partial<EventGroupOptions>, work: Work) {
    this.connection = made;
    const handle = async (event: GroupEvent): Promise<void> => {
      await work(event);
      this.taken.push(event);
    };
    this.group = new EventGroup(
      { ...defaultNaming('regtest'), group: 'work', takeOverSeconds: 1, ...options },
      { connection: made, handle, logger: this.lines.logger },
    );
  }

  /** @param work done with each event before it counts as handled */
  static async start(
    options: Partial<EventGroupOptions> = {},
    work: Work = () => Promise.resolve(),
  ): Promise<Member> {
    const member = new Member(await connection(), options, work);
    ends.push(() => member.group.stop());
    await member.group.start();
    return member;
  }

  /** What it has handled, as words and kinds. */
  get words(): string[] {
    return this.taken.map(({ event }) => wordOf(event));
  }
}

function wordOf(event: GroupEvent['event']): string {
  if (event.type === 'block.added') return `+${event.block.height}`;
  return event.type === 'block.removed' ? `-${event.height}` : event.type;
}

async function publishing(blocks: number, nonce = 0): Promise<Publishing> {
  const node = await Publishing.start({ server: server.url }, blocks, nonce);
  ends.push(() => node.stop());
  await until(() => node.publisher.status.lag === 0, PATIENCE);
  return node;
}

async function manager() {
  return jetstreamManager(await connection(), { checkAPI: false });
}

/** Returns the words of blocks of a range of heights, as a chain that only grows has them. */
function added(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => `+${first + i}`);
}

const sorted = (words: readonly string[]): string[] =>
  [...words].sort((a, b) => Number(a) - Number(b));

describeWithNats('a group', () => {
  test('shares the events: each goes to one member, and all members get some', async () => {
    const node = await publishing(3);
    const busy = new Set<number>();
    const everyone = new Gate();
    // The events of the first ones wait until all are at work.
    const work = (who: number) => (): Promise<void> => {
      if (busy.add(who).size === 3) everyone.open();
      return everyone.passed;
    };
    const members = [
      await Member.start({}, work(0)),
      await Member.start({}, work(1)),
      await Member.start({ concurrency: 2 }, work(2)),
    ];
    const all = (): string[] => members.flatMap(({ words }) => words);
    await until(() => all().length === 4, PATIENCE);
    await node.mine(40);
    await until(() => all().length >= 44, PATIENCE);
    expect(sorted(all())).toEqual(added(0, 43));
    for (const { taken } of members) expect(taken.length).toBeGreaterThan(0);
  });

  test('hands the event of a member that is gone to another one, and what a slow one works at to nobody', async () => {
    const gate = new Gate();
    let has = 0;
    const first = await Member.start({}, () => {
      has++;
      return gate.passed;
    });
    let signs = 0;
    (await connection()).subscribe('$JS.ACK.>', {
      callback: (_, { data }) => void (new TextDecoder().decode(data) === '+WPI' && signs++),
    });
    const node = await publishing(0);
    await until(() => has === 1, PATIENCE);
    const second = await Member.start();
    await node.mine(3);
    await until(() => second.taken.length === 3, PATIENCE);
    // A member gives three of these in the time after which its events go to others.
    await until(() => signs >= 8, PATIENCE);
    expect(sorted(second.words)).toEqual(added(1, 3));
    await first.connection.close();
    await until(() => second.taken.length === 4, PATIENCE);
    expect(second.words[3]).toBe('+0');
    expect(second.taken[3]?.delivery).toBe(2);
    gate.open();
  });

  test('in order handles one event at a time, also when members fail and go', async () => {
    const node = await publishing(3);
    const order: string[] = [];
    let running = 0;
    let most = 0;
    let failures = 3;
    const work = async ({ event }: GroupEvent): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      if (failures-- > 0) throw new Error('the database is away');
      order.push(wordOf(event));
    };
    const options = { inOrder: true, concurrency: 3 };
    const members = [await Member.start(options, work), await Member.start(options, work)];
    await node.mine(4);
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    await node.reorganize(2, 1);
    const wanted = [...added(0, 7), '-7', '-6', '+6', '+7', '+8'];
    await until(() => order.length >= 6, PATIENCE);
    await members[0]?.group.stop();
    await until(() => order.length >= wanted.length, PATIENCE);
    expect(order).toEqual(wanted);
    expect(most).toBe(1);
  });

  test('gets an event again whose handling failed, says so, and that it gets on', async () => {
    let failures = 5;
    const member = await Member.start({}, () =>
      failures-- > 0 ? Promise.reject(new Error('no space')) : Promise.resolve(),
    );
    await publishing(0);
    await until(() => member.taken.length === 1, PATIENCE);
    expect(member.taken[0]?.delivery).toBe(6);
    expect(member.lines.with('does not get on: no space')).toHaveLength(1);
    await until(() => member.lines.has('gets on again'), PATIENCE);
  });

  test('goes on after the broker was away, and after the stream was deleted', async () => {
    const node = await publishing(1);
    const member = await Member.start();
    await until(() => member.taken.length === 2, PATIENCE);
    await server.stop();
    await until(() => member.lines.has('the connection to the broker is lost'), PATIENCE);
    await server.run(server.withJetStream());
    await node.mine();
    await until(() => member.words.includes('+2'), PATIENCE);
    await until(() => member.lines.has('gets on again'), PATIENCE);
    await (await manager()).streams.delete(CHAIN);
    // All of the new stream comes again.
    await until(() => member.words.filter((word) => word === '+0').length === 2, PATIENCE);
    await node.mine();
    await until(() => member.words.includes('+3'), PATIENCE);
  });

  test('whose name a consumer of another kind has says so', async () => {
    await publishing(1);
    await Member.start({ inOrder: true });
    const stream = { group: 'work', takeOverSeconds: 1 };
    const other = await Member.start(stream);
    await until(() => other.lines.has('keeps the order'), PATIENCE);
    expect(other.lines.all[0]).toContain(`nats consumer rm ${CHAIN} work`);
  });

  test('that is away for too long says how much the stream dropped, and goes on behind it', async () => {
    const node = await publishing(3);
    const before = await Member.start();
    await until(() => before.taken.length === 4, PATIENCE);
    await before.group.stop();
    await node.mine(10);
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    await (await manager()).streams.update(CHAIN, { max_msgs: 4 });
    const after = await Member.start();
    await until(() => after.taken.length === 4, PATIENCE);
    expect(sorted(after.words)).toEqual(added(10, 13));
    expect(after.lines.with('dropped up to 6 messages')).toHaveLength(1);
  });

  test('gets a block that came in parts once, whole', async () => {
    await publishing(0);
    const block = { ...exampleBlock(1), height: 1 };
    const log = new LogAppender(
      { subject: 'monero.regtest.chain', lastSequence: 1, partBytes: 100 },
      { jetstream: jetstream(await connection()) },
    );
    await log.append(
      {
        ...{ type: 'block.added', encoding: 'json', height: 1, id: toHex(block.id) },
        ...{ previous: toHex(block.prev_id), difficulty: 1n, cumulativeDifficulty: 2n },
      },
      encodeEvent({ version: 1, type: 'block.added', block }, 'json'),
    );
    await log.settle();
    const members = [await Member.start(), await Member.start({ concurrency: 3 })];
    const all = (): GroupEvent[] => members.flatMap(({ taken }) => taken);
    await until(() => all().length >= 2, PATIENCE);
    const whole = all().find(({ event }) => wordOf(event) === '+1');
    expect(whole?.event).toMatchObject({ block: { id: block.id } });
    expect(whole?.sequence).toBeGreaterThan(3);
    expect(all()).toHaveLength(2);
  });

  test('of the pool gets transactions that come, not the figures of the chain', async () => {
    await publishing(1);
    const member = await Member.start({ events: 'pool' });
    const id = new Uint8Array(32).fill(7);
    const all = headers();
    all.set('Monero-Type', 'pool.removed');
    all.set('Monero-Encoding', 'json');
    await jetstream(await connection()).publish(
      `monero.regtest.pool.${toHex(id)}`,
      encodeEvent({ version: 1, type: 'pool.removed', id, reason: 'evicted' }, 'json'),
      { headers: all },
    );
    await until(() => member.taken.length > 0, PATIENCE);
    expect(member.words).toEqual(['pool.removed']);
  });

  test('leaves out malformed messages, each with a line, and gets those behind them', async () => {
    await publishing(0);
    const member = await Member.start({ events: 'pool', inOrder: true });
    const publisher = jetstream(await connection());
    const event = { version: 1, type: 'pool.removed', reason: 'evicted' } as const;
    for (const i of [1, 2, 3]) {
      const id = new Uint8Array(32).fill(i);
      const all = headers();
      all.set('Monero-Type', 'pool.removed');
      all.set('Monero-Encoding', i === 2 ? 'morse' : 'json');
      const payload = i === 1 ? new Uint8Array(3) : encodeEvent({ ...event, id }, 'json');
      await publisher.publish(`monero.regtest.pool.${toHex(id)}`, payload, { headers: all });
    }
    await until(() => member.taken.length > 0, PATIENCE);
    expect(member.taken).toMatchObject([{ event: { id: new Uint8Array(32).fill(3) } }]);
    expect(member.lines.with('which is malformed')).toHaveLength(2);
    expect(member.lines.has('does not get on')).toBe(false);
  });

  test('whose confirmations the broker refuses does not blame who handles', async () => {
    await server.stop();
    const users = [
      '{ user: all, password: x }',
      '{ user: mute, password: x, permissions: { publish: { deny: "$JS.ACK.>" } } }',
    ].join(', ');
    const rules = `authorization { users: [${users}] }\nno_auth_user: all`;
    await server.run(server.withJetStream(rules));
    await publishing(0);
    const credentialsFile = join(server.folder, 'mute');
    writeFileSync(credentialsFile, 'mute:x');
    const mute = await connectEvents({ servers: server.url, credentialsFile });
    ends.push(() => mute.close());
    const details: string[] = [];
    const logger = { ...silentLogger, debug: (line: string) => void details.push(line) };
    let count = 0;
    const group = new EventGroup(
      { ...defaultNaming('regtest'), group: 'work', takeOverSeconds: 1 },
      { connection: mute, handle: () => Promise.resolve(void count++), logger },
    );
    ends.push(() => group.stop());
    await group.start();
    // It has nothing to say against, and so is asked again only when its time is over.
    await until(() => count > 1, PATIENCE);
    expect(details.some((line) => line.startsWith('events: confirmation: '))).toBe(true);
    expect(details.filter((line) => line.startsWith('events: handler: '))).toEqual([]);
  });
});

test.each([
  [{ group: 'a b' }, 'is no name of a group'],
  [{ concurrency: 0 }, 'is no integer from 1 to 100'],
  [{ takeOverSeconds: 4000 }, 'is no integer from 1 to 3600'],
])('a group with %j is refused', (options, message) => {
  const make = (): EventGroup =>
    new EventGroup(
      { ...defaultNaming('regtest'), group: 'work', ...options },
      {
        connection: undefined as unknown as Connection,
        handle: () => Promise.resolve(),
      },
    );
  expect(make).toThrow(message);
});
