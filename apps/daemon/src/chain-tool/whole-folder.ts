import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '@monero-node/storage';

/** Permissions of the folders, as of a data directory. */
const OWNER_ONLY = 0o700;

/** What a command puts into a new or empty folder. */
export interface FolderPlan {
  /** The folder that the user names. */
  readonly target: string;
  /** Name in it of the folder that holds everything until it is complete. */
  readonly incomplete: string;
  /** Folder of the network in it; empty for mainnet, which has none. */
  readonly subfolder: string;
  /** Name of the folder that is made, in that of the network. */
  readonly name: string;
}

/**
 * Fills a new or empty folder, whole or not at all: the result appears under its name when it is complete and on the disk. What
 * was left by a kill is replaced; after an error nothing is left. Returns what `fill` returns.
 *
 * Throws Error when the folder holds anything else, and what `fill` and the system throw.
 * @param fill makes the folder at a path, in a folder that is there; returns when its files are on the disk
 */
export async function fillFolder<T>(
  plan: FolderPlan,
  fill: (path: string) => Promise<T>,
): Promise<T> {
  const target = resolve(plan.target);
  const incomplete = join(target, plan.incomplete);
  const first = plan.subfolder || plan.name;
  requireEmpty(target, plan.incomplete);
  rmSync(incomplete, { recursive: true, force: true });
  const folder = join(incomplete, plan.subfolder, plan.name);
  try {
    makeFolder(dirname(folder), OWNER_ONLY);
    const result = await fill(folder);
    for (let path = folder; path !== incomplete; path = dirname(path)) await flushFolder(path);
    renameSync(join(incomplete, first), join(target, first));
    rmdirSync(incomplete);
    await flushFolder(target);
    return result;
  } catch (error) {
    rmSync(incomplete, { recursive: true, force: true });
    throw error;
  }
}

function requireEmpty(target: string, incomplete: string): void {
  const others = existsSync(target)
    ? readdirSync(target).filter((name) => name !== incomplete && name !== 'lost+found')
    : [];
  if (others.length > 0)
    throw new Error(`${target} is not empty (${others[0] ?? ''}): choose a new or empty folder`);
}

/** Waits until the names in a folder are on the disk. Systems that cannot flush a folder, such as Windows, do without. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
