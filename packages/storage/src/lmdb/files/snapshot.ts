import { readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { StorageError } from '../../storage-error.ts';
import { chainHeight } from './chain-height.ts';
import { newestMeta } from './data-file.ts';
import type { Environment } from './environment.ts';

/** Number of attempts to read the header between two commits. */
const ATTEMPTS = 1000;
/** Bytes that hold the two header pages, whatever the size of a page. */
const LARGEST_HEAD = 2 * 65536;

/** The data file as of one commit. */
export interface CommitSnapshot {
  /** Sees the commit and keeps its pages from being written to, until it is closed. */
  readonly reader: Environment;
  /** The two header pages, the newest of which is that of the commit. Later commits write to them. */
  readonly head: Uint8Array;
  /** Bytes of the file that belong to the commit. */
  readonly size: number;
}

/**
 * Finds the newest commit in the data file, and keeps it there until the reader is closed.
 *
 * Throws StorageError `io` when commits follow too fast to read the header in between.
 * @param file descriptor of the data file
 */
export async function takeSnapshot(
  environment: Environment,
  file: number,
): Promise<CommitSnapshot> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const reader = environment.pinned();
    let found: CommitSnapshot | undefined;
    try {
      found = snapshotOf(environment, reader, file);
    } finally {
      // One that stays open keeps pages of the store for as long as the process runs.
      if (found === undefined) await reader.close();
    }
    if (found !== undefined) return found;
    await delay(1);
  }
  throw new StorageError('io', `${environment.path} changes too fast to be copied: try again`);
}

/** Returns the newest commit of the file with its reader; undefined when a commit came between the two. */
function snapshotOf(
  environment: Environment,
  reader: Environment,
  file: number,
): CommitSnapshot | undefined {
  const head = new Uint8Array(LARGEST_HEAD);
  readSync(file, head, 0, head.length, 0);
  const read = (target: Uint8Array, position: number) => {
    target.set(head.subarray(position, position + target.length));
    return target.length;
  };
  const { txnId, pageSize, lastPage } = newestMeta(read, environment.path);
  if (!environment.readCommits.includes(txnId)) return undefined;
  const size = (Number(lastPage) + 1) * pageSize;
  return { reader, head: head.subarray(0, 2 * pageSize), size };
}

/** The newest block of a chain. */
export interface ChainTop {
  /** Number of blocks. */
  readonly height: number;
  /** Id of the newest block, 32 bytes; undefined when there is none. */
  readonly topId: Uint8Array | undefined;
}

/** Returns the newest block that a reader sees. */
export function topOf(environment: Environment): ChainTop {
  const height = chainHeight(environment);
  const row = height > 0 ? environment.get('block_meta', height - 1) : undefined;
  return { height, topId: row?.slice(0, 32) };
}

/** Returns whether two chains have the same newest block. */
export function isSameTop(one: ChainTop, other: ChainTop): boolean {
  const id = ({ topId }: ChainTop): Uint8Array => topId ?? new Uint8Array(0);
  return one.height === other.height && Buffer.compare(id(one), id(other)) === 0;
}
