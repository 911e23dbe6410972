import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ManagedProcess } from '../harness/processes.ts';

const PROGRAM = fileURLToPath(new URL('./journal-consumer.mjs', import.meta.url));

interface Line {
  readonly type: 'apply' | 'revert';
  readonly height: number;
  readonly id: string;
}

/** The calls that a consumer received, read from its file. */
export interface JournalState {
  /** Ids by height, from height 0. */
  readonly ids: readonly string[];
  readonly applied: number;
  readonly reverted: number;
}

/** Reads the file of a consumer. Throws Error when a call did not continue what was before. */
export function readJournal(path: string): JournalState {
  const ids: string[] = [];
  let applied = 0;
  let reverted = 0;
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  for (const text of lines) {
    const { type, height, id } = JSON.parse(text) as Line;
    const expected = type === 'apply' ? ids.length : ids.length - 1;
    if (height !== expected) throw new Error(`${type} of block ${height}, not of ${expected}`);
    if (type === 'apply') {
      ids.push(id);
      applied++;
    } else {
      if (ids.pop() !== id) throw new Error(`block ${height} is not the one that was applied`);
      reverted++;
    }
  }
  return { ids, applied, reverted };
}

/** Where a consumer listens. */
export interface ConsumerOptions {
  readonly server: string;
  readonly prefix: string;
  readonly stream: string;
  readonly journal: string;
  readonly cwd: string;
}

/** Starts a program that follows the chain through a broker. */
export function startConsumer(options: ConsumerOptions): Promise<ManagedProcess> {
  return ManagedProcess.start({
    name: 'consumer',
    program: process.execPath,
    cwd: options.cwd,
    args: [PROGRAM, options.server, options.prefix, options.stream, options.journal],
    env: { NODE_OPTIONS: '' },
  });
}
