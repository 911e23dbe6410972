import { connect } from 'node:net';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

/** A broker of our own, with its data in a folder of the run. It can be killed and started again. */
export class NatsServer {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  #process: ManagedProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.url = `nats://${LOOPBACK}:${port}`;
  }

  static async start(): Promise<NatsServer> {
    const [port = 0] = await freePorts(1);
    const server = new NatsServer(newFolder('nats'), port);
    await server.run();
    return server;
  }

  /** Starts the broker on the data that it left. */
  async run(): Promise<void> {
    this.#process = await ManagedProcess.start({
      name: 'nats-server',
      program: 'nats-server',
      cwd: this.#folder,
      args: ['-js', '-a', LOOPBACK, '-p', String(this.#port), '-sd', this.#folder],
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
    return new Promise((resolve) => {
      const socket = connect(this.#port, LOOPBACK);
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }
}
