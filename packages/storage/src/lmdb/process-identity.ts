import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './errors.ts';

/** What tells one process from another that later gets the same id. */
export interface ProcessIdentity {
  pid: number;
  host: string;
  /** Linux only: which boot, and which container's process ids. */
  bootId?: string;
  pidNamespace?: string;
  /** Linux only: clock ticks between boot and the start of the process. */
  startTime?: string;
}

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
 * Whether a process that described itself so is still there; undefined when that can't be told
 * from here.
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
  // A killed process whose parent has not taken note yet is a zombie.
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
