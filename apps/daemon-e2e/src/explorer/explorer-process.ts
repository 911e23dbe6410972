import { fileURLToPath } from 'node:url';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { ManagedProcess, run } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

const PROGRAM = fileURLToPath(new URL('../../../../apps/explorer/dist/main.js', import.meta.url));
const CHECK_MS = 300_000;

export interface ExplorerOptions {
  /** URL of the database. */
  readonly database: string;
  /** URL of the broker. */
  readonly nats: string;
}

/** The program of `apps/explorer`. It can be killed and started again. */
export class ExplorerProcess {
  readonly url: string;
  readonly #port: number;
  readonly #options: ExplorerOptions;
  readonly #folder = newFolder('explorer');
  #process: ManagedProcess | undefined;

  private constructor(options: ExplorerOptions, port: number) {
    this.#options = options;
    this.#port = port;
    this.url = `http://${LOOPBACK}:${port}/`;
  }

  static async start(options: ExplorerOptions): Promise<ExplorerProcess> {
    const [port = 0] = await freePorts(1);
    const started = new ExplorerProcess(options, port);
    await started.run();
    await waitUntil('the page of the explorer', async () => (await fetch(started.url)).ok);
    return started;
  }

  /** Starts the program without waiting for it. */
  async run(): Promise<void> {
    const { database, nats } = this.#options;
    this.#process = await ManagedProcess.start({
      name: 'explorer',
      program: process.execPath,
      cwd: this.#folder,
      args: [
        ...[PROGRAM, '--database', database, '--nats', nats],
        ...['--network', 'regtest', '--port', String(this.#port)],
      ],
    });
  }

  /** What it has said since it was started last. */
  get output(): string {
    return this.#process?.output() ?? '';
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async stop(): Promise<number | null | undefined> {
    return this.#process?.stop();
  }

  /** Compares the tables with what a node answers; returns the last line. Throws Error, with differences, when there are any. */
  async check(nodeUrl: string): Promise<string> {
    const output = await run(
      {
        name: 'explorer-check',
        program: process.execPath,
        cwd: this.#folder,
        args: [PROGRAM, 'check', '--database', this.#options.database, '--node', nodeUrl],
      },
      CHECK_MS,
    );
    return output.trim().split('\n').at(-1) ?? '';
  }
}
