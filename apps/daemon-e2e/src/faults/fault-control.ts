import { spawnSync } from 'node:child_process';
import { closeSync, constants as fileFlags, openSync, readSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Kinds of calls that can fail; the bits are those of fail-calls.c. */
const CALLS = { write: 1, flush: 2, open: 4, rename: 8, truncate: 16 } as const;
export type CallKind = keyof typeof CALLS;

/** A fault to inject. */
export interface Fault {
  /** Calls that still succeed. */
  readonly after: number;
  readonly code: 'ENOSPC' | 'EIO' | 'EMFILE';
  readonly kinds: readonly CallKind[];
  /** Whether all later calls fail as well. */
  readonly stays: boolean;
}

// Places of the integers in the control file; see fail-calls.c.
const FIELDS = 8;
const INTEGER = 4;
const FAILED = 5;
const FIRST_KIND = 6;
const CREATE_OR_KEEP = fileFlags.O_RDWR | fileFlags.O_CREAT;

/**
 * Compiles the library that makes calls fail. Returns its path, or undefined where that is impossible: it needs Linux
 * and a C compiler.
 */
export function compileFaults(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const source = fileURLToPath(new URL('./fail-calls.c', import.meta.url));
  const library = join(folder, 'fail-calls.so');
  const compiler = process.env['CC'] ?? 'cc';
  const args = ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'];
  const { status, error, stderr } = spawnSync(compiler, args, { encoding: 'utf8' });
  if (error !== undefined) return undefined;
  if (status !== 0) throw new Error(`${source} does not compile:\n${stderr}`);
  return library;
}

/** Decides which calls of one process fail; shared with the process through a file that both map or read. */
export class FaultControl {
  readonly #path: string;
  readonly #library: string;

  constructor(library: string, path: string) {
    this.#library = library;
    this.#path = path;
    this.#write([-1, 0, 0, 0, 0, 0, 0, 0]);
  }

  /** Environment of a process whose calls on files below `folder` may fail. */
  environment(folder: string): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      FAULT_CONTROL: this.#path,
      FAULT_FOLDER: folder,
      // Otherwise libuv may pass calls to the kernel past the C library.
      UV_USE_IO_URING: '0',
    };
  }

  arm({ after, code, kinds, stays }: Fault): void {
    const bits = kinds.reduce((sum, kind) => sum + CALLS[kind], 0);
    this.#write([after, constants.errno[code], bits, stays ? 1 : 0, 0, 0, 0, 0]);
  }

  disarm(): void {
    this.#write([-1, 0, 0, 0]);
  }

  /** Kind of the call that failed first since `arm`, undefined when none has failed. */
  get failed(): CallKind | undefined {
    const bytes = Buffer.alloc(FIELDS * INTEGER);
    const file = openSync(this.#path, 'r');
    readSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
    if (bytes.readInt32LE(FAILED * INTEGER) === 0) return undefined;
    const bit = bytes.readInt32LE(FIRST_KIND * INTEGER);
    return (Object.keys(CALLS) as CallKind[]).find((kind) => CALLS[kind] === bit);
  }

  /** Writes in place: the process has mapped this file. */
  #write(fields: readonly number[]): void {
    const bytes = Buffer.alloc(fields.length * INTEGER);
    fields.forEach((field, i) => bytes.writeInt32LE(field, i * INTEGER));
    const file = openSync(this.#path, CREATE_OR_KEEP);
    writeSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
  }
}
