import { readFileSync } from 'node:fs';
import { EXIT } from './exit-codes.ts';

/**
 * Fewer files than this do not suffice for the modules that are loaded at once (about 280), and later for the peers and
 * RPC clients of a small node.
 */
export const LEAST_FILES = 512;
/** Below this, busy public nodes run out: a descriptor for each peer, RPC client and worker thread. */
const ENOUGH_FILES = 1024;

/** Returns the number of files that this process may have open; undefined when the system does not say. */
export function fileLimit(): number | undefined {
  try {
    return limitInProc('self');
  } catch {
    return limitOfReport();
  }
}

/**
 * Returns the number of files that a process may have open; undefined for any number. Throws the error of the system where it does
 * not say, which it does on Linux only and to the process's own user.
 *
 * @param pid id of the process, or `self`
 */
export function limitInProc(pid: string): number | undefined {
  const limits = readFileSync(`/proc/${pid}/limits`, 'latin1');
  const soft = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** Asks Node's diagnostic report, on systems without /proc. */
function limitOfReport(): number | undefined {
  if (process.platform === 'win32') return undefined;
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: unknown } };
  };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : undefined;
}

/**
 * Ends the process with a sentence when it may open too few files. It must run before other modules are loaded,
 * because loading them would fail with an error that names a module instead of the limit.
 */
export function requireFiles(limit = fileLimit()): void {
  if (limit === undefined || limit >= LEAST_FILES) return;
  process.stderr.write(
    `This process may open only ${limit} files, and needs at least ${LEAST_FILES}: raise the limit, for example with 'ulimit -n 4096' in the shell or LimitNOFILE=4096 in the systemd unit\n`,
  );
  process.exit(EXIT.limit);
}

/** Returns a warning when a busy node would run out of files. */
export function fileLimitWarnings(limit = fileLimit()): string[] {
  if (limit === undefined || limit >= ENOUGH_FILES) return [];
  return [
    `this process may open only ${limit} files; with many peers and RPC clients it needs ${ENOUGH_FILES} or more (ulimit -n 4096)`,
  ];
}
