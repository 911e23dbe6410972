import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SyncMode } from '../lmdb/options.ts';

/** Another process working on a store; see store-child.ts for what it does. */
export class StoreChild {
  readonly lines: string[] = [];
  /** Its standard error so far. */
  errors = '';
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #read: Promise<unknown>;
  readonly #watchers = new Set<() => void>();

  /** @param maxFileSize bytes no file may outgrow (Unix only) */
  constructor(
    task: 'append' | 'hold',
    path: string,
    options: { syncMode?: SyncMode | undefined; maxFileSize?: number } = {},
  ) {
    const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
    const args = [
      '--import',
      new URL('./register-ts.mjs', import.meta.url).href,
      file('./store-child.ts'),
    ];
    const command = [process.execPath, ...args, task, path, options.syncMode ?? 'fast'];
    const blocks = Math.floor((options.maxFileSize ?? 0) / 512);
    const [program = '', ...rest] =
      blocks > 0 ? ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', ...command] : command;
    const environment = { ...process.env, NODE_OPTIONS: '' };
    this.#process = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
    this.#exited = once(this.#process, 'exit');
    if (this.#process.stdout === null) throw new Error('stdout is a pipe');
    const reader = createInterface({ input: this.#process.stdout });
    this.#read = once(reader, 'close');
    reader.on('line', (line) => {
      this.lines.push(line);
      for (const watcher of this.#watchers) watcher();
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
  }

  /** Resolves with the line that comes at this place. */
  async line(index: number): Promise<string> {
    for (;;) {
      const line = this.lines[index];
      if (line !== undefined) return line;
      await new Promise<void>((resolve, reject) => {
        this.#watchers.add(resolve);
        void this.#read.then(() => {
          reject(new Error(`the child ended after: ${this.lines.join(', ')}`));
        });
      });
      this.#watchers.clear();
    }
  }

  /** SIGKILL; resolves when the process is gone and all it said is in `lines`. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended();
  }

  async ended(): Promise<void> {
    await Promise.all([this.#exited, this.#read]);
  }
}
