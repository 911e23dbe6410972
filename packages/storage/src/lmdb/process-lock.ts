import { randomBytes } from 'node:crypto';
import {
  existsSync,
  promises as fs,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StorageError } from '../storage-error.ts';
import { describeThisProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

/** Says that this process, and no other, writes to a directory. */
export interface ProcessLock {
  /** @throws StorageError `locked` if another process has taken the directory over, believing this one dead */
  check(): void;
  release(): void;
}

const PREFIX = 'owner-';
const HEARTBEAT_MS = 1000;
/** An owner that can't be looked up and shows no heartbeat for so long is taken for dead. */
const WATCH_MS = 4 * HEARTBEAT_MS;
const ATTEMPTS = 5;

/**
 * Claims a directory for this process, or says who has it.
 *
 * Every contender first puts up a file that names it, then looks at the others' files: a live one
 * means that it must withdraw, a dead one is removed. As everyone announces before looking, two can't
 * both find the place free; and since file names are never used twice, removing a dead one's file
 * can't hit a live one. So a lock left by a killed process is no obstacle and needs no repair.
 *
 * An owner is looked up by process id and start time. Where that can't be done (it ran before a
 * reboot, in another container, or on a system that doesn't tell start times) its heartbeat decides:
 * owners touch their file every second.
 *
 * @throws StorageError `locked`
 */
export async function acquireProcessLock(directory: string): Promise<ProcessLock> {
  const name = `${PREFIX}${process.pid}-${randomBytes(8).toString('hex')}`;
  const path = join(directory, name);
  for (let attempt = 1; ; attempt += 1) {
    writeFileSync(path, JSON.stringify(describeThisProcess()));
    const rival = await findLiveRival(directory, name);
    if (rival === undefined) return holdLock(directory, path);
    rmSync(path, { force: true });
    // Two that start at the same moment both withdraw: look again after a while.
    if (attempt === ATTEMPTS) {
      throw new StorageError(
        'locked',
        `${directory} is in use by process ${rival}; stop that one or choose another data directory`,
      );
    }
    await delay(20 + Math.random() * 100);
  }
}

/** Process id of a live contender or owner; removes the files of dead ones. */
async function findLiveRival(directory: string, ownName: string): Promise<string | undefined> {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(PREFIX) || name === ownName) continue;
    const path = join(directory, name);
    const identity = readIdentity(path);
    const running = (identity && isRunning(identity)) ?? (await showsHeartbeat(path));
    if (running) return name.slice(PREFIX.length).split('-')[0];
    rmSync(path, { force: true });
  }
  return undefined;
}

/** What a file says; undefined if it is gone, or half-written. */
function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

async function showsHeartbeat(path: string): Promise<boolean> {
  const first = lastTouched(path);
  for (let waited = 0; waited < WATCH_MS; waited += HEARTBEAT_MS / 4) {
    const now = lastTouched(path);
    if (now === undefined) return false; // withdrawn or released
    if (now !== first) return true;
    await delay(HEARTBEAT_MS / 4);
  }
  return false;
}

function lastTouched(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function holdLock(directory: string, path: string): ProcessLock {
  const heartbeat = setInterval(() => {
    const now = new Date();
    // A failure shows soon enough: whoever misses the heartbeat removes the file, and check() sees that.
    fs.utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    check() {
      if (!existsSync(path)) {
        throw new StorageError('locked', `${directory} has been taken over by another process`);
      }
    },
    release() {
      clearInterval(heartbeat);
      rmSync(path, { force: true });
    },
  };
}
