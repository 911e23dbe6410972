import { randomBytes } from 'node:crypto';
import {
  existsSync,
  promises as fs,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StorageError } from '../../storage-error.ts';
import { errorCode } from '../errors.ts';

/** A claim that this process, and no other, writes to a directory. */
export interface ProcessLock {
  /** Throws StorageError `locked` when another process has taken over the directory, believing this one dead. */
  check(): void;
  release(): void;
}

/** How the names of the lock files begin. */
export const LOCK_FILE_PREFIX = 'owner-';
const HEARTBEAT_MS = 1000;
/** Milliseconds without a heartbeat after which an owner that cannot be looked up is considered dead. */
const WATCH_MS = 4 * HEARTBEAT_MS;
const ATTEMPTS = 5;

/**
 * Claims a directory for this process.
 *
 * Every contender first creates a file that names it, then reads the files of the others. If one of them is
 * alive, the contender withdraws; files of dead ones are removed. Everyone announces before looking, so two
 * contenders cannot both find the directory free. File names are never reused, so removing a dead owner's file
 * cannot hit a live one. A lock left by a killed process therefore needs no repair.
 *
 * An owner is looked up by process id and start time. Where that is impossible (it ran before a reboot, in
 * another container, or on a system without start times), its heartbeat decides: owners touch their file every
 * second.
 *
 * Throws StorageError `locked` with the process id of the owner.
 */
export async function acquireProcessLock(directory: string): Promise<ProcessLock> {
  const name = `${LOCK_FILE_PREFIX}${process.pid}-${randomBytes(8).toString('hex')}`;
  const path = join(directory, name);
  for (let attempt = 1; ; attempt += 1) {
    announce(path);
    const rival = await findLiveRival(directory, name);
    if (rival === undefined) return holdLock(directory, path);
    rmSync(path, { force: true });
    // Two contenders that start at the same moment both withdraw, so try again after a random delay.
    if (attempt === ATTEMPTS) throw inUse(directory, rival);
    await delay(20 + Math.random() * 100);
  }
}

/**
 * Checks, without writing anything, that no live process has a store in a directory, which need not be there. For programs that
 * write other files, such as a log, before they open the store. The answer is out of date at once: opening decides.
 *
 * Throws StorageError `locked`.
 */
export async function checkNotInUse(directory: string): Promise<void> {
  const owner = await ownerOf(directory);
  if (owner !== undefined) throw inUse(directory, owner);
}

/**
 * Returns the id of the live process that has a store in a directory, without writing anything; undefined when there is none, or no
 * such directory. Throws the error of the system, for example EACCES. It takes up to 4 seconds where only a heartbeat tells.
 */
export async function ownerOf(directory: string): Promise<string | undefined> {
  // Opening says what is wrong with something else of that name.
  if (!existsSync(directory) || !statSync(directory).isDirectory()) return undefined;
  for (const name of lockFiles(directory)) {
    if (await hasLiveOwner(join(directory, name))) return ownerIn(name);
  }
  return undefined;
}

/** Claims a directory that must be there. Throws StorageError `io` when it is missing, and `locked`. */
export async function lockExisting(directory: string): Promise<ProcessLock> {
  if (!existsSync(directory)) throw new StorageError('io', `there is no store in ${directory}`);
  return acquireProcessLock(directory);
}

/** Writes the file that names this process. On a full disk it would be left empty, and hold up the next start. */
function announce(path: string): void {
  try {
    writeFileSync(path, '');
    // A copy of the file is another file.
    const inode = String(statSync(path, { bigint: true }).ino);
    writeFileSync(path, JSON.stringify({ ...describeThisProcess(), inode }));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Returns the process id of a live contender or owner; removes the files of dead ones. */
async function findLiveRival(directory: string, ownName: string): Promise<string | undefined> {
  for (const name of lockFiles(directory)) {
    if (name === ownName) continue;
    const path = join(directory, name);
    if (await hasLiveOwner(path)) return ownerIn(name);
    rmSync(path, { force: true });
  }
  return undefined;
}

function inUse(directory: string, owner: string): StorageError {
  if (hasCopyOf(directory, owner)) {
    return new StorageError(
      'locked',
      `${directory} seems to be a copy of the folder that process ${owner} uses, made while it ran, and may be torn; use a backup instead. If it is that folder itself, it is in use: stop process ${owner} or choose another data directory`,
    );
  }
  return new StorageError(
    'locked',
    `${directory} is in use by process ${owner}; stop that one or choose another data directory`,
  );
}

/**
 * Returns whether the lock of an owner was copied here from another folder. Only a message depends on it: some file systems number
 * their files anew.
 */
function hasCopyOf(directory: string, owner: string): boolean {
  return lockFiles(directory).some((name) => {
    const path = join(directory, name);
    const inode = ownerIn(name) === owner ? readIdentity(path)?.inode : undefined;
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
    return inode !== undefined && found !== undefined && inode !== String(found);
  });
}

function lockFiles(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.startsWith(LOCK_FILE_PREFIX));
}

/** Returns the process id in the name of a lock file. */
function ownerIn(name: string): string {
  return name.slice(LOCK_FILE_PREFIX.length).split('-')[0] ?? '';
}

async function hasLiveOwner(path: string): Promise<boolean> {
  const identity = readIdentity(path);
  return (identity && isRunning(identity)) ?? (await showsHeartbeat(path));
}

/** Reads a lock file; undefined when it is gone or half-written. */
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
    // A failure needs no report: a contender that misses the heartbeat removes the file, and check() notices.
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

/** Distinguishes a process from a later one with the same process id. */
interface ProcessIdentity {
  pid: number;
  host: string;
  /** Linux only: the boot, and the namespace (container) of the process id. */
  bootId?: string;
  pidNamespace?: string;
  /** Linux only: clock ticks between boot and the start of the process. */
  startTime?: string;
  /** Number of the lock file in its file system. */
  inode?: string;
}

/** Returns the identity of this process. */
export function describeThisProcess(): ProcessIdentity {
  const bootId = readText('/proc/sys/kernel/random/boot_id');
  const pidNamespace = readLink('/proc/self/ns/pid');
  const startTime = readStat(process.pid)?.startTime;
  return {
    pid: process.pid,
    host: hostname(),
    ...(bootId !== undefined && { bootId }),
    ...(pidNamespace !== undefined && { pidNamespace }),
    ...(startTime !== undefined && { startTime }),
  };
}

/**
 * Returns whether the process with this identity is still running; undefined when that cannot be determined
 * from this host, boot or container.
 */
export function isRunning(identity: ProcessIdentity): boolean | undefined {
  const own = describeThisProcess();
  if (
    identity.host !== own.host ||
    identity.bootId !== own.bootId ||
    identity.pidNamespace !== own.pidNamespace
  ) {
    return undefined;
  }
  if (!hasProcess(identity.pid)) return false;
  const stat = readStat(identity.pid);
  if (stat === undefined || identity.startTime === undefined) return undefined;
  return stat.startTime === identity.startTime && !stat.dead;
}

/** Start time and state of a process from Linux's /proc/<pid>/stat (see proc(5)). */
function readStat(pid: number): { startTime: string; dead: boolean } | undefined {
  const text = readText(`/proc/${pid}/stat`);
  // The second field is the command in parentheses and may itself hold blanks and parentheses.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields?.[0];
  const startTime = fields?.[19];
  if (state === undefined || startTime === undefined) return undefined;
  // A killed process is a zombie until its parent has waited for it.
  return { startTime, dead: state === 'Z' || state === 'X' };
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Anything but "no such process" means that it exists but is someone else's.
    return errorCode(error) !== 'ESRCH';
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
