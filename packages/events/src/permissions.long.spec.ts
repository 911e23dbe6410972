/** @jest-environment node */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@monero-node/base/testing';
import { jest } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { connectEvents } from './broker/connect.ts';
import { defaultNaming } from './broker/names.ts';
import { EventGroup } from './consume/event-group.ts';
import { EventStream } from './consume/event-stream.ts';
import { startCluster } from './testing/nats-cluster.ts';
import { describeWithNats, type NatsServer } from './testing/nats-server.ts';
import { Lines, MemoryHandler, Publishing } from './testing/publishing.ts';

/** Milliseconds for what takes a few seconds on a machine that does nothing else: some forty programs start at once. */
const PATIENCE = 90_000;
jest.setTimeout(4 * PATIENCE);

const STREAMS = ['MONERO_REGTEST_CHAIN', 'MONERO_REGTEST_POOL'];
const NAMING = defaultNaming('regtest');
/** Blocks of the longest chain that a node of these tests has. */
const MOST_BLOCKS = 6;
const VERBS = ['publish', 'subscribe'] as const;

interface Allowed {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** A login that may do all that the documentation lists for its kind, but for one permission. */
interface Lacking {
  readonly login: string;
  readonly kind: string;
  readonly verb: (typeof VERBS)[number];
  readonly subject: string;
  readonly allowed: Allowed;
}

/** Returns what the documentation allows, by kind of user. */
function documented(): Map<string, Allowed> {
  const page = readFileSync(new URL('../../../docs/operating/events.md', import.meta.url), 'utf8');
  const [, text = ''] = /```text\nauthorization (.*?)```/s.exec(page) ?? [];
  const user = /\{ user: (\w+),.*?publish: \[(.*?)\]\s*subscribe: \[(.*?)\]/gs;
  const list = (words = ''): string[] => words.match(/[^\s",]+/g) ?? [];
  return new Map(
    [...text.matchAll(user)].map(([, kind = '', publish, subscribe]) => [
      kind,
      { publish: list(publish), subscribe: list(subscribe) },
    ]),
  );
}

function lackingOne(kind: string, allowed: Allowed): Lacking[] {
  return VERBS.flatMap((verb) =>
    allowed[verb].map((subject, i) => ({
      ...{ login: `${kind}-${verb}-${i}`, kind, verb, subject },
      allowed: { ...allowed, [verb]: allowed[verb].filter((other) => other !== subject) },
    })),
  );
}

/** Returns a user for the configuration of nats-server, for which an empty list would allow everything. */
function userOf(login: string, allowed: Allowed): string {
  const permissions = VERBS.map((verb) => {
    const subjects = allowed[verb].map((subject) => `"${subject}"`).join(', ');
    return `${verb}: ${subjects === '' ? '{ deny: ">" }' : `[${subjects}]`}`;
  });
  return `{ user: "${login}", password: x, permissions: { ${permissions.join(', ')} } }`;
}

/** Needed for nothing that these programs do, as the documentation says. */
function isForMessagesAlone({ kind, subject }: Lacking): boolean {
  return (
    subject === '$JS.API.STREAM.NAMES' ||
    (kind === 'member' && subject.startsWith('$JS.API.STREAM.MSG.GET.'))
  );
}

/**
 * Returns how many blocks a node has that may not publish to a subject. What another node has published no node publishes again, so
 * those that lack a subject of blocks or of figures know blocks that no other knows.
 */
function blocksOf(subject: string): number {
  if (subject === 'monero.regtest.chain') return MOST_BLOCKS;
  return subject === 'monero.regtest.counters' ? 5 : 4;
}

describeWithNats('the permissions in the documentation, on a cluster', () => {
  const kinds = documented();
  const lacking = [...kinds].flatMap(([kind, allowed]) => lackingOne(kind, allowed));
  let servers: NatsServer[];
  let urls: string;
  let admin: Awaited<ReturnType<typeof connectEvents>>;
  let ends: (() => Promise<unknown>)[] = [];

  function credentials(login: string): string {
    const path = join(servers[0]?.folder ?? '', login);
    writeFileSync(path, `${login}:x`);
    return path;
  }

  beforeAll(async () => {
    const users = [
      '{ user: admin, password: x }',
      ...[...kinds].map(([kind, allowed]) => userOf(kind, allowed)),
      ...lacking.map(({ login, allowed }) => userOf(login, allowed)),
    ];
    servers = await startCluster(`authorization { users: [\n${users.join(',\n')}\n] }`);
    urls = servers.map(({ url }) => url).join(',');
    admin = await connectEvents({ servers: urls, credentialsFile: credentials('admin') });
    await hasLeader();
  }, PATIENCE);
  afterEach(async () => {
    await Promise.all(ends.map((end) => end()));
    ends = [];
  });
  afterAll(async () => {
    await admin?.close();
    await Promise.all((servers ?? []).map((server) => server.remove()));
  });

  /** Resolves once the servers have elected the one that makes streams. */
  async function hasLeader(): Promise<void> {
    const manager = await jetstreamManager(admin, { checkAPI: false });
    for (let isThere = false; !isThere;) {
      isThere = await manager.getAccountInfo().then(
        () => true,
        () => false,
      );
    }
  }

  async function node(login: string, blocks = 3): Promise<Publishing> {
    const options = { server: urls, replicas: 3, publisher: login };
    const made = await Publishing.start(
      { ...options, credentialsFile: credentials(login) },
      blocks,
      0,
    );
    ends.push(() => made.stop());
    return made;
  }

  async function consumer(login: string) {
    const connection = await connectEvents({ servers: urls, credentialsFile: credentials(login) });
    const handler = new MemoryHandler();
    const lines = new Lines();
    let figures = 0;
    const pool = {
      reset: () => Promise.resolve(),
      added: () => Promise.resolve(),
      removed: () => Promise.resolve(),
      counters: () => Promise.resolve(void figures++),
    };
    const { logger } = lines;
    const stream = new EventStream(NAMING, { connection, handler, pool, logger });
    await stream.start();
    ends.push(() => stream.stop().then(() => connection.close()));
    return { lines, handler, hasFigures: () => figures > 0 };
  }

  async function member(login: string) {
    const connection = await connectEvents({ servers: urls, credentialsFile: credentials(login) });
    const lines = new Lines();
    const handled = new Set<number>();
    const group = new EventGroup(
      { ...NAMING, group: login, takeOverSeconds: 1 },
      {
        connection,
        handle: ({ sequence }) => Promise.resolve(void handled.add(sequence)),
        logger: lines.logger,
      },
    );
    await group.start();
    ends.push(() => group.stop().then(() => connection.close()));
    return { lines, handled };
  }

  /** Runs a node that lacks nothing, and has made both streams. */
  async function fullNode(blocks: number): Promise<void> {
    const { publisher } = await node('admin', blocks);
    const { streams } = await jetstreamManager(admin, { checkAPI: false });
    const isMade = (name: string): Promise<boolean> =>
      streams.info(name).then(
        () => true,
        () => false,
      );
    await until(() => publisher.status.lag === 0, PATIENCE);
    for (const name of STREAMS) while (!(await isMade(name))) await delay(50);
  }

  /** Stores a transaction of which a node has to tell that it is gone. */
  async function leave(publisher: string, place: number): Promise<void> {
    const all = headers();
    all.set('Monero-Type', 'pool.added');
    all.set('Monero-Encoding', 'json');
    all.set('Monero-Publisher', publisher);
    const id = place.toString(16).padStart(64, '0');
    await admin.request(`monero.regtest.pool.${id}`, '{}', { headers: all, timeout: PATIENCE });
  }

  async function run({ kind, login, subject }: Lacking): Promise<Lines> {
    if (kind === 'node') return (await node(login, blocksOf(subject))).lines;
    return (kind === 'consumer' ? await consumer(login) : await member(login)).lines;
  }

  test('are enough for a node, a consumer and a member of a group', async () => {
    const { lines, publisher } = await node('node');
    await until(() => publisher.status.lag === 0, PATIENCE);
    const reader = await consumer('consumer');
    const worker = await member('member');
    await until(() => reader.handler.height === 3 && reader.hasFigures(), PATIENCE);
    await until(() => worker.handled.size === 4, PATIENCE);
    await until(() => publisher.status.backfill.isServing, PATIENCE);
    // On a busy machine a stream may wait for its leader, which is told as well.
    const said = [lines, reader.lines, worker.lines].flatMap(({ all }) => all);
    expect(said.filter((line) => /Permissions Violation|Allow this login/.test(line))).toEqual([]);
  });

  const creating = lacking.filter(({ subject }) => subject.includes('.STREAM.CREATE.'));
  test.each(creating)('$login: $subject is named where the stream is missing', async (without) => {
    const manager = await jetstreamManager(admin, { checkAPI: false });
    for (const stream of STREAMS) await manager.streams.delete(stream).catch(() => undefined);
    const lines = await run(without);
    await until(() => lines.has(`Allow this login to publish to ${without.subject}`), PATIENCE);
  });

  /** Runs programs that lack a permission each, until each has named it in one line. */
  async function expectNamed(programs: readonly Lacking[]): Promise<void> {
    const said = await Promise.all(programs.map(run));
    const linesOf = ({ verb, subject }: Lacking, i: number): string[] | undefined =>
      said[i]?.with(
        `Permissions Violation for ${verb === 'publish' ? 'Publish' : 'Subscription'} to "${subject}"`,
      );
    const silent = (): string[] =>
      programs
        .filter((one, i) => linesOf(one, i)?.length === 0)
        .map(({ login, subject }) => `${login} ${subject}`);
    await until(() => silent().length === 0, PATIENCE).catch(() => expect(silent()).toEqual([]));
    // A line is repeated after a minute, which a busy machine may need.
    for (const [i, one] of programs.entries()) expect(new Set(linesOf(one, i)).size).toBe(1);
  }

  const others = lacking.filter((one) => !creating.includes(one) && !isForMessagesAlone(one));

  test('of nodes are each named where they are missing, in one line', async () => {
    const nodes = others.filter(({ kind }) => kind === 'node');
    expect(nodes.length).toBeGreaterThan(10);
    await fullNode(3);
    for (const [i, { login }] of nodes.entries()) await leave(login, i);
    // Any node may get a request for older blocks, also one that cannot answer.
    const asking = setInterval(
      () => admin.publish('monero.regtest.backfill', '', { reply: '_INBOX.a.b' }),
      50,
    );
    ends.push(() => Promise.resolve(clearInterval(asking)));
    await expectNamed(nodes);
  });

  // Nodes that lack a permission would leave requests for older blocks unanswered.
  test('of readers are each named where they are missing, in one line', async () => {
    const readers = others.filter(({ kind }) => kind !== 'node');
    expect(readers.length).toBeGreaterThan(10);
    await fullNode(MOST_BLOCKS);
    await expectNamed(readers);
  });
});
