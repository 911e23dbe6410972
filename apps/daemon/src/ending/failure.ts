import { inspect } from 'node:util';
import { describeSystemError, StorageError, systemCodeOf } from '@monero-node/storage';
import { EXIT } from './exit-codes.ts';

/** Reasons of the system that concern a whole disk, whichever file met them first. */
const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** How the process ends because of an error. */
export interface Failure {
  readonly status: number;
  /** For the user: without a stack where the cause lies outside of the program. */
  readonly text: string;
}

/** Returns what to say about an error of storage and disks; undefined for any other. */
function storageFailure(error: unknown, dataDir: string): Failure | undefined {
  if (error instanceof StorageError) {
    // Another process that has the data directory is no fault of the disk.
    const ofDisk = error.code === 'io' || error.code === 'damaged';
    return { status: ofDisk ? EXIT.storage : EXIT.failed, text: error.message };
  }
  if (isFailedCommit(error))
    return { status: EXIT.storage, text: 'the database could not be written' };
  // The error itself, or the one that it explains.
  const reason = [error, (error as { cause?: unknown } | undefined)?.cause].find((each) =>
    DISK_CODES.has(systemCodeOf(each) ?? ''),
  );
  if (reason === undefined) return undefined;
  return { status: EXIT.storage, text: describeSystemError(reason, dataDir) };
}

/** Whether an error is a promise of the lmdb package that no caller can reach. The store itself reports the reason. */
export function isFailedCommit(error: unknown): boolean {
  return error instanceof Error && 'commitError' in error;
}

/** Returns how to end after an error that stopped the start or a command. */
export function failureOfStart(error: unknown, dataDir: string): Failure {
  const text = error instanceof Error ? error.message : String(error);
  return storageFailure(error, dataDir) ?? { status: EXIT.failed, text };
}

/** Returns how to end after the store has failed, with the line for the log. */
export function failureOfStore(error: unknown, dataDir: string): Failure {
  const { status, text } = failureOfStart(error, dataDir);
  return { status, text: `stopping: ${text}` };
}

/** Returns how to end after an error that no code handled. */
export function failureOfProgram(error: unknown, dataDir: string): Failure {
  // Unlike `stack`, this includes the causes.
  return storageFailure(error, dataDir) ?? { status: EXIT.software, text: inspect(error) };
}
