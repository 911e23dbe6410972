import { connectEvents, defaultNaming } from '@monero-node/events';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { readJournal, startConsumer } from '../events/journal.ts';
import { NatsServer } from '../events/nats-server.ts';
import { ExplorerProcess } from '../explorer/explorer-process.ts';
import { Postgres } from '../explorer/postgres.ts';
import { HaProxy } from '../harness/haproxy.ts';
import { isObject, listOf, numberOf, stringOf } from '../harness/json.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { freePorts } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { Prometheus } from '../harness/prometheus.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';
import { FleetNode, type FleetPorts } from './fleet-node.ts';
import { portsOfNode } from './fleet.ts';
import { LabNetwork, type LabMachine } from './lab-network.ts';

const LIAR = fileURLToPath(new URL('./lying-member.mjs', import.meta.url));
const RULES = fileURLToPath(new URL('../../../../deploy/prometheus/fleet.yml', import.meta.url));
const NAMING = defaultNaming('regtest');
/** Bytes that a node wants free on its disk. */
const MIN_DISK = 24 * 2 ** 20;

/** A node of the lab, and the machine that it runs on. */
export interface LabNode {
  readonly node: FleetNode;
  readonly machine: LabMachine;
  readonly dataDir: string;
  /** Address of its metrics. */
  readonly metrics: string;
}

/**
 * All that an operator of a fleet has: three nodes with workers on machines of their own behind HAProxy, a cluster of three brokers,
 * a database that the explorer fills, a consumer with a journal, and Prometheus. monerod is the network outside: it mines.
 */
export class Lab {
  readonly network: LabNetwork;
  readonly monerod: RunningNode;
  readonly brokers: readonly NatsServer[];
  readonly nodes: readonly LabNode[];
  readonly haproxy: HaProxy;
  readonly prometheus: Prometheus;
  readonly explorer: ExplorerProcess;
  readonly liar: ManagedProcess;
  /** File of the consumer. */
  readonly journal: string;
  readonly #ends: (() => Promise<unknown>)[];

  private constructor(parts: LabParts, ends: (() => Promise<unknown>)[]) {
    this.network = parts.network;
    this.monerod = parts.monerod;
    this.brokers = parts.brokers;
    this.nodes = parts.nodes;
    this.haproxy = parts.haproxy;
    this.prometheus = parts.prometheus;
    this.explorer = parts.explorer;
    this.liar = parts.liar;
    this.journal = parts.journal;
    this.#ends = ends;
  }

  /** Starts everything and waits until HAProxy uses all nodes. What was started is stopped when something fails. */
  static async start(): Promise<Lab> {
    const ends: (() => Promise<unknown>)[] = [];
    try {
      return new Lab(await startParts(ends), ends);
    } catch (error) {
      await endAll(ends);
      throw error;
    }
  }

  /** Servers of the cluster, for `--events`. */
  get servers(): string {
    return this.brokers.map(({ url }) => url).join(',');
  }

  /** All that nodes and balancer have written to their logs. */
  get logs(): string[] {
    return [...this.nodes.map(({ node }) => node.log), this.haproxy.process.output()];
  }

  /** Ids of the blocks that the consumer was told, from height 0. Throws Error when a call did not continue what was before. */
  consumed(): readonly string[] {
    return readJournal(this.journal).ids;
  }

  /** Resolves to what waits in the pools of nodes and monerod, a line for each. What the chain has spent already waits for ever, and is left out. */
  async waiting(): Promise<string[]> {
    const all = [...this.nodes.map(({ node }) => node.running), this.monerod];
    const pools = await Promise.all(all.map(({ rpc }) => rpc.path('/get_transaction_pool')));
    return pools.flatMap((pool, i) =>
      (pool['transactions'] === undefined ? [] : listOf(pool, 'transactions')).flatMap((tx) =>
        isObject(tx) && numberOf(tx, 'last_failed_height') === 0
          ? `${all[i]?.name}: ${stringOf(tx, 'id_hash')}`
          : [],
      ),
    );
  }

  /** Deletes the stream of the chain, as an operator may by mistake. */
  async deleteStream(): Promise<void> {
    const connection = await connectEvents({ servers: this.servers });
    const answer = await connection.request(`$JS.API.STREAM.DELETE.${NAMING.stream}_CHAIN`);
    await connection.close();
    if (!answer.string().includes('"success":true')) throw new Error(answer.string());
  }

  /** Waits until HAProxy sends requests to all nodes. */
  async allUp(): Promise<void> {
    for (const { node } of this.nodes) await this.haproxy.waitFor(node.name, 'up', 120_000);
  }

  close(): Promise<void> {
    return endAll(this.#ends);
  }
}

type LabParts = Pick<
  Lab,
  | 'network'
  | 'monerod'
  | 'brokers'
  | 'nodes'
  | 'haproxy'
  | 'prometheus'
  | 'explorer'
  | 'liar'
  | 'journal'
>;

async function endAll(ends: (() => Promise<unknown>)[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

async function startParts(ends: (() => Promise<unknown>)[]): Promise<LabParts> {
  const network = await LabNetwork.start();
  ends.push(() => network.stop());
  const brokers = await NatsServer.startCluster(network.address);
  ends.push(() => Promise.all(brokers.map((broker) => broker.kill())));
  const servers = brokers.map(({ url }) => url).join(',');
  const database = await Postgres.start();
  ends.push(() => database.stop());
  const monerod = await startMonerod({ name: 'outside', host: network.address, offline: false });
  ends.push(() => monerod.stop());
  const liarPort = (await freePorts(1))[0] ?? 0;
  const liarFolder = newFolder('liar');
  // On a machine of its own: peers with the address of a member would count as those of the fleet.
  const liarMachine = await network.add(liarFolder);
  const [program = '', ...enter] = liarMachine.enter;
  const liar = await ManagedProcess.start({
    name: 'liar',
    program,
    cwd: liarFolder,
    args: [...enter, process.execPath, LIAR, liarMachine.address, String(liarPort)],
    env: { NODE_OPTIONS: '' },
  });
  ends.push(() => liar.kill());
  const others = [`${liarMachine.address}:${liarPort}`];
  const nodes = await startNodes(network, { servers, outside: monerod.p2p, others });
  ends.push(() => Promise.all(nodes.map(({ node }) => node.isRunning && node.kill())));
  const addresses = nodes.map(({ node }) => node.address);
  const haproxy = await HaProxy.start(addresses, {}, '*');
  ends.push(() => haproxy.stop());
  const prometheus = await Prometheus.start(
    [...nodes.map(({ metrics }) => metrics), haproxy.metricsAddress],
    RULES,
  );
  ends.push(() => prometheus.stop());
  const explorer = await ExplorerProcess.start({ database: database.url, nats: servers });
  ends.push(() => explorer.stop());
  const folder = newFolder('consumer');
  const journal = join(folder, 'journal');
  const consumer = await startConsumer({ server: servers, ...NAMING, journal, cwd: folder });
  ends.push(() => consumer.stop());
  return { network, monerod, brokers, nodes, haproxy, prometheus, explorer, liar, journal };
}

interface Surroundings {
  readonly servers: string;
  /** monerod, as `host:port`. */
  readonly outside: string;
  /** More members of the fleet. */
  readonly others: readonly string[];
}

async function startNodes(network: LabNetwork, around: Surroundings): Promise<LabNode[]> {
  const places: { machine: LabMachine; ports: FleetPorts; dataDir: string; metrics: number }[] = [];
  for (let number = 1; number <= 3; number++) {
    const dataDir = newFolder(`node-${number}`);
    const [metrics = 0] = await freePorts(1);
    const machine = await network.add(dataDir);
    places.push({ machine, ports: await portsOfNode(), dataDir, metrics });
  }
  const nodes = places.map((own, i) => {
    const rest = places.filter((place) => place !== own);
    const { address: host, enter } = own.machine;
    const node = new FleetNode({
      ...{ name: `node-${i + 1}`, host, enter, ports: own.ports, dataDir: own.dataDir },
      peers: [
        ...rest.map(({ machine, ports }) => `${machine.address}:${ports.p2p}`),
        around.outside,
      ],
      others: [
        ...rest.map(({ machine, ports }) => `${machine.address}:${ports.wallets}`),
        ...around.others,
      ],
      extra: [
        ...['--rpc-workers', '2', '--rpc-restricted-bind-ip', host],
        ...['--metrics-bind-ip', host, '--metrics-bind-port', String(own.metrics)],
        ...['--ready-min-peers', '1', '--ready-min-disk', String(MIN_DISK)],
        ...['--events', around.servers, '--events-replicas', '3'],
        // With the reason why a transaction of a wallet is refused.
        ...['--log-level', '0,daemon.rpc:INFO'],
      ],
    });
    const { machine, dataDir } = own;
    return { node, machine, dataDir, metrics: `${host}:${own.metrics}` };
  });
  await Promise.all(nodes.map(({ node }) => node.start()));
  await waitUntil('the nodes to have peers', async () => {
    const infos = await Promise.all(nodes.map(({ node }) => node.running.info()));
    return infos.every((info) => Number(info['outgoing_connections_count']) > 0);
  });
  return nodes;
}
