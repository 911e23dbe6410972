import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { guardEmitter } from '@monero-node/base';
import type { ToMain, ToWorker } from './channel.ts';

/** What LMDB's binding prints when a database is opened without locks, as it has to be. */
const EXPECTED_LINE = /^You chose to use MDB_NOLOCK[^\n]*\n?/m;
const MAX_ERROR_TEXT = 2000;

/** Receives what a worker process says, and its end. */
export interface WorkerEvents {
  readonly onMessage: (message: ToMain) => void;
  /**
   * Called when the process is no more.
   * @param how for the log
   */
  readonly onEnd: (how: string) => void;
}

/** One worker process and the channel to it. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  #errors = '';
  #hasEnded = false;

  constructor({ onMessage, onEnd }: WorkerEvents) {
    this.#child = guardEmitter(startProcess(), (error) => this.#failed(error, onEnd));
    this.#child.on('message', (message) => onMessage(message as ToMain));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-MAX_ERROR_TEXT);
    });
    this.#child.once('close', (code, signal) => {
      const said = this.#errors.replace(EXPECTED_LINE, '').trim();
      const how = signal === null ? `it ended with status ${code}` : `signal ${signal}`;
      this.#finish(said === '' ? how : `${how}: ${said}`, onEnd);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a message, with a socket if one is given, which stays open here; lost when the process is ending. */
  send(message: ToWorker, socket?: Socket): void {
    if (!this.#child.connected) return;
    this.#child.send(message, socket, { keepOpen: true }, () => undefined);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** A process that cannot be talked to is killed. It goes on reading the database until it has ended. */
  #failed({ message }: Error, onEnd: WorkerEvents['onEnd']): void {
    if (this.pid === undefined) {
      this.#finish(message, onEnd);
      return;
    }
    this.#errors = `${this.#errors}\n${message}`;
    this.kill();
  }

  #finish(how: string, onEnd: WorkerEvents['onEnd']): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    onEnd(how);
  }
}

function startProcess(): ChildProcess {
  // In the sources the script is beside this file; a published package has other files, and finds its own by name.
  const url = import.meta.url.endsWith('.ts')
    ? new URL('./worker-main.ts', import.meta.url)
    : import.meta.resolve('@monero-node/rpc/worker');
  return guardEmitter(
    fork(fileURLToPath(url), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }),
  );
}
