import { spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { guardEmitter, guardServer } from '@monero-node/base';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decode, encode, type Answer, type Question } from 'dns-packet';
import { HaProxy } from '../harness/haproxy.ts';
import { HAPROXY_METRICS } from '../harness/monitoring-files.ts';
import { freePorts } from '../harness/ports.ts';
import { describeUnless } from '../harness/skip-without.ts';
import { sleep, waitUntil } from '../harness/wait.ts';

// HAProxy knows no --version, so that describeWith cannot ask for it.
const lack = spawnSync('haproxy', ['-v']).error ? 'not installed: haproxy' : undefined;
const NAME = 'fleet.example';
/** Milliseconds: HAProxy asks every ten seconds, and forgets a record ten seconds after it has gone. */
const NOTICED = 60_000;

/** Milliseconds after which a record that has gone would be forgotten, and some to spare. */
const FORGOTTEN = 25_000;

/** A DNS server that has A records of one name. */
class NameServer {
  addresses: readonly string[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (message, { port, address }) => {
      const { id, questions } = decode(message);
      const [question] = questions as [Question];
      const answers: Answer[] =
        question.type === 'A' && question.name.toLowerCase() === NAME
          ? this.addresses.map((data) => ({ type: 'A', name: question.name, ttl: 1, data }))
          : [];
      // A response to a recursive query, from a server that takes these.
      const flags = (1 << 8) | (1 << 7);
      socket.send(encode({ type: 'response', id, flags, questions, answers }), port, address);
    });
  }

  static async start(): Promise<NameServer> {
    const socket = guardEmitter(createSocket('udp4'), () => undefined);
    const server = new NameServer(socket);
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async stop(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}

describeUnless(lack, 'deploy/fleet/haproxy.cfg with a name for all nodes', () => {
  let names: NameServer;
  let haproxy: HaProxy;
  let port = 0;
  const servers = new Map<string, Server>();
  /** Starts a stand-in for a node, which is always ready. */
  const startNode = async (address: string): Promise<void> => {
    const server = guardServer(
      createServer((_, response) => response.setHeader('Content-Length', 0).end()),
      () => undefined,
    ).listen(port, address);
    servers.set(address, server);
    await once(server, 'listening');
  };
  /** Resolves when that many nodes get requests. */
  const untilUp = (count: number): Promise<unknown> =>
    waitUntil(
      `${count} nodes to be up`,
      async () => {
        const rows = (await haproxy.rows()).filter(({ svname }) => svname !== 'BACKEND');
        return rows.filter(({ status }) => status?.startsWith('UP')).length === count;
      },
      { timeout: NOTICED, interval: 200 },
    );

  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    names = await NameServer.start();
    names.addresses = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];
    for (const address of names.addresses) await startNode(address);
    haproxy = await HaProxy.start([], { FLEET_NODES: `${NAME}:${port}`, FLEET_DNS: names.address });
  });
  afterAll(async () => {
    await haproxy.stop();
    await names.stop();
    for (const server of servers.values()) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });

  test(
    'nodes come and go with their records, and requests are answered all the time',
    async () => {
      await untilUp(3);
      let failed = 0;
      let isOver = false;
      const load = (async () => {
        for (let i = 0; !isOver; i++) {
          const { status } = await fetch(`http://127.0.0.1:${haproxy.port}/get_height?${i}`);
          if (status !== 200) failed++;
          await sleep(20);
        }
      })();
      await startNode('127.0.0.14');
      names.addresses = [...names.addresses, '127.0.0.14'];
      await untilUp(4);
      names.addresses = names.addresses.slice(1);
      await untilUp(3);
      // A server that does not know the name any more changes nothing.
      names.addresses = [];
      await sleep(FORGOTTEN);
      await untilUp(3);
      isOver = true;
      await load;
      expect(failed).toBe(0);
      const metrics = await haproxy.metrics();
      expect(HAPROXY_METRICS.filter((name) => !metrics.includes(`\n${name}{`))).toEqual([]);
    },
    4 * NOTICED,
  );
});
