import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { sleep, waitUntil } from '../harness/wait.ts';

/** Where Debian keeps the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';
const ROLE = 'explorer';

/** Returns the folder of PostgreSQL's programs, of the newest version; undefined when it is not installed. */
export function findPostgres(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  return readdirSync(VERSIONS)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')));
}

/** PostgreSQL refuses to run as root: then it runs as Debian's user for it. The process keeps its id. */
function asUser(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--', ...command];
}

/** Runs a program to its end; returns its output. Throws Error when it fails. */
function runNow(command: readonly string[]): string {
  const [program = '', ...args] = asUser(command);
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: '/' });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  return stdout;
}

/** A PostgreSQL server of our own, with its data in a folder that it owns. It can be killed and started again. */
export class Postgres {
  readonly url: string;
  readonly #bin: string;
  readonly #folder: string;
  readonly #port: number;
  #process: ManagedProcess | undefined;

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin;
    this.#folder = folder;
    this.#port = port;
    this.url = `postgres://${ROLE}@${LOOPBACK}:${port}/postgres`;
  }

  /** Throws Error when it is not installed or does not start. */
  static async start(): Promise<Postgres> {
    const bin = findPostgres();
    if (bin === undefined) throw new Error('PostgreSQL is not installed');
    const [port = 0] = await freePorts(1);
    // Not in the folder of the run, which only the user who runs the tests can enter.
    const folder = mkdtempSync(join(tmpdir(), 'monero-node-postgres-'));
    if (process.getuid?.() === 0) spawnSync('chown', ['postgres:', folder]);
    runNow([
      join(bin, 'initdb'),
      '-D',
      folder,
      '-U',
      ROLE,
      '--auth=trust',
      '--no-sync',
      '-E',
      'UTF8',
    ]);
    const started = new Postgres(bin, folder, port);
    await started.run();
    return started;
  }

  /** Starts the server on the data that it left. */
  async run(): Promise<void> {
    await waitUntil('PostgreSQL to start', async () => {
      const [program = '', ...args] = asUser([
        ...[join(this.#bin, 'postgres'), '-D', this.#folder, '-p', String(this.#port)],
        ...['-c', `listen_addresses=${LOOPBACK}`, '-c', 'unix_socket_directories='],
      ]);
      this.#process = await ManagedProcess.start({ name: 'postgres', program, cwd: '/', args });
      // After a kill, the first attempts fail while processes of the old server end.
      for (let i = 0; i < 100 && this.#process.running; i++) {
        if (await this.#listens()) return true;
        await sleep(100);
      }
      throw new Error(this.#process.tail());
    });
  }

  /** Dumps the database to a file of a folder that PostgreSQL may write, while programs go on with it; returns its path. */
  dump(): string {
    const path = join(this.#folder, 'dump.sql');
    runNow([join(this.#bin, 'pg_dump'), '--no-owner', '-f', path, this.url]);
    return path;
  }

  /** Makes a database from a dump; returns its URL. */
  restore(name: string, dump: string): string {
    const url = this.url.replace(/[^/]*$/, name);
    const psql = [join(this.#bin, 'psql'), '-q', '-v', 'ON_ERROR_STOP=1'];
    runNow([...psql, '-c', `CREATE DATABASE ${name}`, this.url]);
    runNow([...psql, '-f', dump, url]);
    return url;
  }

  /** Returns the answer to a question of one value. */
  ask(url: string, question: string): string {
    return runNow([join(this.#bin, 'psql'), '-At', '-c', question, url]).trim();
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  /** Stops the server and removes its data. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.#port, LOOPBACK);
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }
}
