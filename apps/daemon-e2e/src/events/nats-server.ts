import { connect } from 'node:net';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

/** Where a broker listens. */
interface Place {
  readonly host: string;
  readonly port: number;
  /** What else it is told. */
  readonly args: readonly string[];
}

/** A broker of our own, with its data in a folder of the run. It can be killed and started again. */
export class NatsServer {
  readonly url: string;
  readonly #folder = newFolder('nats');
  readonly #place: Place;
  #process: ManagedProcess | undefined;

  private constructor(place: Place) {
    this.#place = place;
    this.url = `nats://${place.host}:${place.port}`;
  }

  static async start(): Promise<NatsServer> {
    const [port = 0] = await freePorts(1);
    const server = new NatsServer({ host: LOOPBACK, port, args: [] });
    await server.run();
    return server;
  }

  /** Starts three brokers of one cluster, which keep streams of up to three replicas. @param host where they listen */
  static async startCluster(host: string): Promise<NatsServer[]> {
    const ports = await freePorts(6);
    const routes = ports.slice(3).map((port) => `nats://${LOOPBACK}:${port}`);
    const servers = routes.map((route, i) => {
      const args = [
        ...['-n', `broker-${i + 1}`, '-cluster_name', 'fleet'],
        ...['-cluster', route, '-routes', routes.join(',')],
      ];
      return new NatsServer({ host, port: ports[i] ?? 0, args });
    });
    await Promise.all(servers.map((server) => server.run()));
    return servers;
  }

  /** Starts the broker on the data that it left. */
  async run(): Promise<void> {
    const { host, port, args } = this.#place;
    this.#process = await ManagedProcess.start({
      name: 'nats-server',
      program: 'nats-server',
      cwd: this.#folder,
      args: ['-js', '-a', host, '-p', String(port), '-sd', this.#folder, ...args],
    });
    await waitUntil('nats-server to listen', () => this.#listens());
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  #listens(): Promise<boolean> {
    const { host, port } = this.#place;
    return new Promise((resolve) => {
      const socket = connect(port, host);
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }
}
