import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './errors.ts';

/** Distinguishes a process from a later one with the same process id. */
export interface ProcessIdentity {
  pid: number;
  host: string;
  /** Linux only: the boot, and the namespace (container) of the process id. */
  bootId?: string;
  pidNamespace?: string;
  /** Linux only: clock ticks between boot and the start of the process. */
  startTime?: string;
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
