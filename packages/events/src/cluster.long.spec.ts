/** @jest-environment node */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { until } from '@monero-node/base/testing';
import { toHex } from '@monero-node/codec';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { jest } from '@jest/globals';
import { connectEvents } from './broker/connect.ts';
import { defaultNaming, eventNames } from './broker/names.ts';
import { lastMessage } from './broker/streams.ts';
import { EventStream } from './consume/event-stream.ts';
import { freePort, startCluster } from './testing/nats-cluster.ts';
import { describeWithNats, NatsServer } from './testing/nats-server.ts';
import { Lines, MemoryHandler, Publishing } from './testing/publishing.ts';

/** Milliseconds for what takes a few seconds on a machine that does nothing else: an election, or one of each of two streams. */
const PATIENCE = 60_000;
jest.setTimeout(4 * PATIENCE);

const STREAMS = ['MONERO_REGTEST_CHAIN', 'MONERO_REGTEST_POOL'];

let ends: (() => Promise<unknown>)[];
beforeEach(() => (ends = []));
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

async function cluster(): Promise<NatsServer[]> {
  const servers = await startCluster();
  ends.push(() => Promise.all(servers.map((server) => server.remove())));
  return servers;
}

async function following(servers: string) {
  const connection = await connectEvents({ servers });
  ends.push(() => connection.close());
  const handler = new MemoryHandler();
  const { logger } = new Lines();
  const stream = new EventStream(defaultNaming('regtest'), { connection, handler, logger });
  ends.push(() => stream.stop());
  await stream.start();
  return { connection, handler };
}

describeWithNats('a cluster', () => {
  test('keeps three copies, and nothing is lost when the server that a consumer uses is killed', async () => {
    const servers = await cluster();
    // The first one is away when the node and the consumer start.
    const away = `nats://127.0.0.1:${await freePort()}`;
    const list = [away, ...servers.map(({ url }) => url)].join(',');
    const node = await Publishing.start({ server: list, replicas: 3 }, 3, 0);
    ends.push(() => node.stop());
    const { connection, handler } = await following(list);
    await until(() => handler.height === 3, PATIENCE);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    for (const name of STREAMS) {
      const { config } = await manager.streams.info(name);
      expect(config.num_replicas).toBe(3);
    }
    const before = connection.getServer();
    const portOf = (server: string): string =>
      new URL(`nats://${server.replace(/^.*:\/\//, '')}`).port;
    const used = servers.find(({ url }) => portOf(url) === portOf(before));
    if (used === undefined) throw new Error('the connection names no server of the cluster');
    await used.stop();
    await node.mine(4);
    await node.reorganize(2, 1);
    await until(() => handler.height === node.height - 1, PATIENCE);
    // A stream may still have an election.
    await until(() => node.publisher.status.problem === undefined, PATIENCE);
    expect(connection.getServer()).not.toBe(before);
  });
});

describeWithNats('a cluster that may have lost messages', () => {
  test('is compared with the pool when its stream has another leader', async () => {
    const servers = await cluster();
    const list = servers.map(({ url }) => url).join(',');
    const node = await Publishing.start({ server: list, replicas: 3 }, 3, 0);
    ends.push(() => node.stop());
    await until(() => node.publisher.status.lag === 0, PATIENCE);
    const connection = await connectEvents({ servers: list });
    ends.push(() => connection.close());
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { poolStream, poolSubject, countersSubject } = eventNames(defaultNaming('regtest'));
    const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const subjectOf = (id: Uint8Array): string => poolSubject(toHex(id));
    // While there is an election nobody answers.
    const last = (of: string) => lastMessage(manager, poolStream, of).catch(() => undefined);
    const typeOf = async (id: Uint8Array) => (await last(subjectOf(id)))?.header.get('Monero-Type');
    const leader = () =>
      manager.streams.info(poolStream).then(
        ({ cluster: servers }) => servers?.leader,
        () => undefined,
      );
    await until(async () => (await last(countersSubject)) !== undefined, PATIENCE);
    const added = headers();
    added.set('Monero-Type', 'pool.added');
    added.set('Monero-Publisher', 'test');
    const leave = (id: Uint8Array) =>
      jetstream(connection).publish(subjectOf(id), '{}', { headers: added });
    await leave(first);
    node.poolEvents.emit('removed', {
      transaction: { id: first, broadcast: true },
      reason: 'mined',
    });
    // Then the pool was compared, as it is after the start.
    await until(async () => (await typeOf(first)) === 'pool.removed', PATIENCE);
    // What is left of a transaction whose removal is lost.
    await leave(second);
    const before = await leader();
    await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${poolStream}`);
    await until(async () => ![undefined, '', before].includes(await leader()), PATIENCE);
    await until(async () => (await typeOf(second)) === 'pool.removed', PATIENCE);
  });
});

describeWithNats('a server', () => {
  test('without a cluster refuses replicas, and the node says why', async () => {
    const server = await NatsServer.start();
    ends.push(() => server.remove());
    const node = await Publishing.start({ server: server.url, replicas: 3 }, 1, 0);
    ends.push(() => node.stop());
    await until(() => node.lines.has('by a server without a cluster'), PATIENCE);
    expect(node.lines.with('leave out --events-replicas')).not.toEqual([]);
  });

  test('that wants certificates takes a node that has one', async () => {
    const server = new NatsServer();
    ends.push(() => server.remove());
    const at = (name: string): string => join(server.folder, name);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    openssl(
      ...['req', '-x509', ...curve, '-subj', '/CN=test', '-days', '2'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', at('key.pem'), '-out', at('certificate.pem')],
    );
    const [certificate, key] = [at('certificate.pem'), at('key.pem')];
    await server.run(
      server.withJetStream(
        `tls { cert_file: "${certificate}", key_file: "${key}", ca_file: "${certificate}", verify: true }`,
      ),
    );
    const failures: unknown[] = [];
    const ended = new AbortController();
    const refused = connectEvents({
      servers: server.url,
      tlsCaFile: certificate,
      signal: ended.signal,
      onFailure: (error) => failures.push(error),
    }).catch(() => undefined);
    await until(() => failures.length > 0, PATIENCE);
    ended.abort();
    expect(await refused).toBeUndefined();
    const node = await Publishing.start(
      {
        ...{ server: server.url.replace('nats:', 'tls:'), tlsCaFile: certificate },
        ...{ tlsCertFile: certificate, tlsKeyFile: key },
      },
      2,
      0,
    );
    ends.push(() => node.stop());
    await until(() => node.publisher.status.publishedHeight === 2, PATIENCE);
  });
});
