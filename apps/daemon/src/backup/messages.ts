import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/*
 * The chain tool asks a running node for a copy through two files in the data directory, because no second process may open the
 * database of a running node. Permission to write there is permission to ask. The tool writes the request and removes it when
 * it no longer wants the copy; the node writes the state.
 */

/** A request of the chain tool. */
export interface BackupRequest {
  /** Distinguishes requests. */
  readonly id: string;
  /** Folder, not there yet, that is to hold the data file. */
  readonly folder: string;
}

/** How far the node is. */
export type BackupState =
  | { readonly id: string; readonly done: number; readonly total: number }
  | { readonly id: string; readonly error: string }
  | {
      readonly id: string;
      readonly height: number;
      /** In hex; empty when there is no block. */
      readonly topId: string;
      readonly size: number;
    };

/** Larger files are not read. */
const MAX_BYTES = 65_536;

/** Returns the paths of the two files. */
export function backupFiles(dataDir: string): { request: string; state: string } {
  return {
    request: join(dataDir, 'backup-request.json'),
    state: join(dataDir, 'backup-state.json'),
  };
}

/** Writes a file in one step. Throws the error of the system. */
export function writeMessage(path: string, message: BackupRequest | BackupState): void {
  // The tool may run as root: it must not follow a link that the node's user made.
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, JSON.stringify(message), { flag: 'wx' });
  renameSync(`${path}.new`, path);
}

/** Reads a request; undefined when there is none that makes sense. */
export function readRequest(path: string): BackupRequest | undefined {
  const message = readMessage(path) as Partial<BackupRequest> | undefined;
  if (typeof message?.id !== 'string' || typeof message.folder !== 'string') return undefined;
  return isAbsolute(message.folder) ? { id: message.id, folder: message.folder } : undefined;
}

/** Reads the state of a request; undefined when the node has written none. */
export function readState(path: string, id: string): BackupState | undefined {
  const message = readMessage(path) as BackupState | undefined;
  return message?.id === id ? message : undefined;
}

function readMessage(path: string): object | undefined {
  try {
    if (statSync(path).size > MAX_BYTES) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
