import { readFileSync } from 'node:fs';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** What a machine has, before any limit. */
export interface WholeMachine {
  /** Processors that the process may run on. */
  readonly processors: number;
  /** Bytes. */
  readonly memory: number;
  /** The folder of `/proc` and `/sys`; none where there are no control groups. */
  readonly root: string | undefined;
}

/** What of a machine's memory is not in use, before any limit. */
export interface FreeMachine {
  /** Bytes that the system can give, those of its file cache included. */
  readonly free: number;
  /** As of {@link WholeMachine}. */
  readonly root: string | undefined;
}

/** What a process may use. */
export interface MachineLimits {
  /** Processors, at least 1. A part of one does not count. */
  readonly processors: number;
  /** Bytes. */
  readonly memory: number;
}

/** This machine as it is. */
function thisMachine(): WholeMachine {
  return {
    processors: availableParallelism(),
    memory: totalmem(),
    root: rootOfSystem(),
  };
}

function rootOfSystem(): string | undefined {
  return process.platform === 'linux' ? '/' : undefined;
}

/**
 * Returns what this process may use: the machine, within the limits of its control groups and of those above them (version 1 and 2 of
 * cgroups), such as those of a container, `CPUQuota=` and `MemoryMax=`. The system's own figures know nothing of a quota. Reads
 * some small files; limits that cannot be read do not count.
 */
export function machineLimits(machine: WholeMachine = thisMachine()): MachineLimits {
  const { root } = machine;
  const groups = root === undefined ? undefined : controlGroups(root);
  if (groups === undefined) return { processors: machine.processors, memory: machine.memory };
  const quota = Math.min(
    ...groups.unified.map((folder) => quotaOf(textOf(folder, 'cpu.max'))),
    ...groups.cpu.map((folder) =>
      quotaOf(`${textOf(folder, 'cpu.cfs_quota_us')} ${textOf(folder, 'cpu.cfs_period_us')}`),
    ),
  );
  const memory = Math.min(
    ...groups.unified.flatMap((folder) => [
      bytesOf(textOf(folder, 'memory.max')),
      bytesOf(textOf(folder, 'memory.high')),
    ]),
    ...groups.memory.map((folder) => bytesOf(textOf(folder, 'memory.limit_in_bytes'))),
  );
  return {
    processors: Math.max(1, Math.min(machine.processors, Math.floor(quota))),
    memory: Math.min(machine.memory, memory),
  };
}

/**
 * Returns the bytes that this process can still allocate: what the machine has left, and what each of its control groups and of those
 * above them has left. Files in memory do not count as in use, as they do not in the system's own figure (`MemAvailable`): what a group
 * has read and written fills it up to its limit, and is given up as soon as a program wants the memory. `process.availableMemory()`
 * counts them. Reads some small files; limits that cannot be read do not count.
 */
export function availableMemory(
  { free, root }: FreeMachine = { free: freemem(), root: rootOfSystem() },
): number {
  const groups = root === undefined ? undefined : controlGroups(root);
  if (groups === undefined) return free;
  const left = Math.min(
    free,
    ...groups.unified.map((folder) => {
      const limit = Math.min(
        bytesOf(textOf(folder, 'memory.max')),
        bytesOf(textOf(folder, 'memory.high')),
      );
      return limit - usedIn(folder, 'memory.current', '');
    }),
    // The figures of a group without the prefix leave out the groups below it.
    ...groups.memory.map(
      (folder) =>
        bytesOf(textOf(folder, 'memory.limit_in_bytes')) -
        usedIn(folder, 'memory.usage_in_bytes', 'total_'),
    ),
  );
  return Math.max(0, left);
}

/** Returns the bytes of a group that cannot be had by giving up files; 0 when it does not say how many it uses. */
function usedIn(folder: string, file: string, prefix: string): number {
  const all = bytesOf(textOf(folder, file));
  if (all === Infinity) return 0;
  const statistics = textOf(folder, 'memory.stat').split('\n');
  const bytesIn = (name: string): number => {
    const line = statistics.find((each) => each.startsWith(`${name} `));
    const bytes = line === undefined ? Infinity : bytesOf(line.slice(name.length + 1));
    return bytes === Infinity ? 0 : bytes;
  };
  const files = bytesIn(`${prefix}inactive_file`) + bytesIn(`${prefix}active_file`);
  return Math.max(0, all - files);
}

/** Folders of the process's groups and of all above them, by their hierarchy. */
interface ControlGroups {
  /** Of version 2. */
  readonly unified: readonly string[];
  /** Of version 1. */
  readonly cpu: readonly string[];
  readonly memory: readonly string[];
}

/** Reads `/proc/self/cgroup` (cgroups(7)): lines of `number:controllers:path`, version 2 without controllers. */
function controlGroups(root: string): ControlGroups | undefined {
  const mounts = join(root, 'sys/fs/cgroup');
  const unified: string[] = [];
  const cpu: string[] = [];
  const memory: string[] = [];
  const text = textOf(join(root, 'proc/self'), 'cgroup');
  if (text === '') return undefined;
  for (const line of text.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    const names = controllers.split(',');
    if (controllers === '') unified.push(...upFrom(mounts, path));
    // A mount has the name of all its controllers, or of this one.
    for (const mount of new Set([controllers, ...names])) {
      if (names.includes('cpu')) cpu.push(...upFrom(join(mounts, mount), path));
      if (names.includes('memory')) memory.push(...upFrom(join(mounts, mount), path));
    }
  }
  return { unified, cpu, memory };
}

/** Returns the folder of a group and all above it. In a container, those of the path may not be there, and the uppermost is its own. */
function upFrom(mount: string, path: string): string[] {
  const folders: string[] = [];
  for (let rest = join('/', path); rest !== '/'; rest = dirname(rest))
    folders.push(join(mount, rest));
  return [...folders, mount];
}

/** Returns the content of a file, without white space around it; an empty text when it cannot be read. */
function textOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8').trim();
  } catch {
    return '';
  }
}

/** Returns the processors of `quota period`, both in microseconds; Infinity for `max`, -1 and anything else. */
function quotaOf(text: string): number {
  const [, quota, period] = /^(\d{1,15}) (\d{1,15})$/.exec(text) ?? [];
  if (quota === undefined || Number(period) === 0) return Infinity;
  return Number(quota) / Number(period);
}

/** Returns the bytes that a file names; Infinity for `max` and anything else. Version 1 says a number beyond any memory for none. */
function bytesOf(text: string): number {
  return /^\d{1,20}$/.test(text) ? Number(text) : Infinity;
}
