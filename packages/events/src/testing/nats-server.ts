import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardEmitter } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { connectEvents } from '../broker/connect.ts';

/** Whether nats-server can be run here. */
const hasNatsServer = spawnSync('nats-server', ['--version']).error === undefined;

/** Returns `describe`, or what skips the tests where nats-server is not installed. */
export const describeWithNats = hasNatsServer ? describe : describe.skip;

/** Milliseconds that it has to start. */
const START_MS = 60_000;

/** The real broker, on loopback, with its files in a folder of its own. */
export class NatsServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'nats-'));
  url = '';
  #port = -1;
  #process: ChildProcess | undefined;

  /** @param config text of its configuration, besides the port; JetStream is on when absent */
  static async start(config?: string): Promise<NatsServer> {
    const server = new NatsServer();
    await server.run(config ?? server.withJetStream());
    return server;
  }

  /** Returns a configuration with JetStream and more. */
  withJetStream(more = ''): string {
    return `jetstream { store_dir: "${this.folder}" }\n${more}`;
  }

  /** Starts it, again on the same port and files. */
  async run(config: string): Promise<void> {
    this.configure(config);
    const log = join(this.folder, 'log');
    rmSync(log, { force: true });
    this.#process = guardEmitter(
      spawn('nats-server', ['-c', this.#config, '-l', log], { stdio: 'ignore' }),
    );
    const written = (): string => readFileSync(log, { encoding: 'utf8', flag: 'a+' });
    await until(() => written().includes('Server is ready'), START_MS);
    this.#port = Number(/client connections on 127.0.0.1:(\d+)/.exec(written())?.[1]);
    this.url = `nats://127.0.0.1:${this.#port}`;
  }

  /** Writes its configuration, which it reads when it starts or is told to. */
  configure(config: string): void {
    writeFileSync(this.#config, `listen: "127.0.0.1:${this.#port}"\n${config}`);
  }

  /** Has it read its configuration again. */
  reload(): void {
    this.#process?.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    this.#process = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Connects without credentials. */
  connect(): ReturnType<typeof connectEvents> {
    return connectEvents({ servers: this.url });
  }

  get #config(): string {
    return join(this.folder, 'server.conf');
  }
}
