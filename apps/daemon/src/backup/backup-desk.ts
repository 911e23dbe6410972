import { rmSync } from 'node:fs';
import { Periodic, type Logger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { CopyableStore } from '@monero-node/storage';
import {
  backupFiles,
  readRequest,
  writeMessage,
  type BackupRequest,
  type BackupState,
} from './messages.ts';

/** Milliseconds between two looks for a request. */
const INTERVAL = 1000;

export interface BackupDeskDependencies {
  readonly store: Pick<CopyableStore, 'copyTo'>;
  readonly logger: Logger;
}

/** Copies the database of the running node when the chain tool asks for it; see messages.ts. */
export class BackupDesk {
  readonly #files: ReturnType<typeof backupFiles>;
  readonly #deps: BackupDeskDependencies;
  readonly #watch: Periodic;
  #lastId: string | undefined;
  #stop: AbortController | undefined;
  #copying: Promise<void> = Promise.resolve();

  /** @param interval milliseconds between two looks for a request */
  constructor(dataDir: string, dependencies: BackupDeskDependencies, interval = INTERVAL) {
    this.#files = backupFiles(dataDir);
    this.#deps = dependencies;
    this.#watch = new Periodic(interval, () => this.#look());
  }

  /** Forgets the request of a tool that was killed, and begins to look for requests. */
  start(): Promise<void> {
    for (const file of Object.values(this.#files)) rmSync(file, { force: true });
    this.#watch.start();
    return Promise.resolve();
  }

  /** Ends a copy that is under way. */
  async stop(): Promise<void> {
    this.#watch.stop();
    this.#stop?.abort(new Error('the node was stopped'));
    await this.#copying;
  }

  #look(): void {
    const request = readRequest(this.#files.request);
    if (this.#stop !== undefined) {
      if (request?.id !== this.#lastId) this.#stop.abort(new Error('it is no longer wanted'));
      return;
    }
    if (request === undefined || request.id === this.#lastId) return;
    this.#lastId = request.id;
    this.#stop = new AbortController();
    this.#copying = this.#copy(request, this.#stop.signal).finally(() => (this.#stop = undefined));
  }

  async #copy({ id, folder }: BackupRequest, signal: AbortSignal): Promise<void> {
    const { store, logger } = this.#deps;
    logger.info(`copying the chain to ${folder}`);
    let reportedAt = 0;
    const onProgress = (done: number, total: number) => {
      if (performance.now() - reportedAt < INTERVAL) return;
      reportedAt = performance.now();
      this.#report({ id, done, total });
    };
    try {
      const { height, topId, size } = await store.copyTo(folder, { signal, onProgress });
      logger.info(`copied the chain of ${height} blocks to ${folder}`);
      this.#report({ id, height, topId: topId === undefined ? '' : toHex(topId), size });
    } catch (error) {
      const why = (error as Error).message;
      logger.warn(`the chain was not copied to ${folder}: ${why}`);
      this.#report({ id, error: why });
    }
  }

  #report(state: BackupState): void {
    try {
      writeMessage(this.#files.state, state);
    } catch (error) {
      this.#deps.logger.warn(`the state of the backup is not written: ${(error as Error).message}`);
    }
  }
}
