import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { availableMemory, machineLimits } from './limits.ts';

const MIB = 1024 * 1024;
/** What version 1 says where there is no limit. */
const NO_LIMIT = '9223372036854771712';
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'limits-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes files below the root. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
}

/** Writes files, and returns the MiB that a process can have on a machine with 20,000 of them free. */
function availableWith(files: Readonly<Record<string, string>>): number {
  write(files);
  return availableMemory({ free: 20_000 * MIB, root }) / MIB;
}

/** Writes files, and returns the limits of a machine with 16 processors and 32 GiB that has them. */
function limitsWith(files: Readonly<Record<string, string>>) {
  write(files);
  return machineLimits({ processors: 16, memory: 32_768 * MIB, root });
}

/** As systemd writes them for `systemd-run --property CPUQuota=250% --property MemoryMax=4G`. */
const UNIT = '/system.slice/run-u42.service';
const V2 = { 'proc/self/cgroup': `0::${UNIT}` };

test('a machine without control groups, or without limits, has all of it', () => {
  const all = { processors: 16, memory: 32_768 * MIB };
  expect(limitsWith({})).toEqual(all);
  expect(machineLimits({ ...all, root: undefined })).toEqual(all);
  expect(
    limitsWith({
      ...V2,
      [`sys/fs/cgroup${UNIT}/cpu.max`]: 'max 100000',
      [`sys/fs/cgroup${UNIT}/memory.max`]: 'max',
      [`sys/fs/cgroup${UNIT}/memory.high`]: 'max',
    }),
  ).toEqual(all);
});

test('a unit of systemd has its quota and its memory, version 2', () => {
  expect(
    limitsWith({
      ...V2,
      [`sys/fs/cgroup${UNIT}/cpu.max`]: '250000 100000',
      [`sys/fs/cgroup${UNIT}/memory.max`]: `${4096 * MIB}`,
    }),
  ).toEqual({ processors: 2, memory: 4096 * MIB });
});

test('the tightest of the groups above counts, and memory.high', () => {
  expect(
    limitsWith({
      ...V2,
      [`sys/fs/cgroup${UNIT}/cpu.max`]: '800000 100000',
      'sys/fs/cgroup/system.slice/cpu.max': '400000 100000',
      [`sys/fs/cgroup${UNIT}/memory.max`]: `${4096 * MIB}`,
      [`sys/fs/cgroup${UNIT}/memory.high`]: `${3072 * MIB}`,
    }),
  ).toEqual({ processors: 4, memory: 3072 * MIB });
});

test('a container sees its own group as the root, version 2', () => {
  expect(
    limitsWith({
      'proc/self/cgroup': '0::/',
      'sys/fs/cgroup/cpu.max': '50000 100000',
      'sys/fs/cgroup/memory.max': `${512 * MIB}`,
    }),
  ).toEqual({ processors: 1, memory: 512 * MIB });
});

test('version 1, with two controllers in one mount', () => {
  expect(
    limitsWith({
      'proc/self/cgroup': `7:memory${':/docker/ab'}\n4:cpu,cpuacct:/docker/ab\n1:name=systemd:/docker/ab`,
      'sys/fs/cgroup/cpu,cpuacct/docker/ab/cpu.cfs_quota_us': '300000',
      'sys/fs/cgroup/cpu,cpuacct/docker/ab/cpu.cfs_period_us': '100000',
      'sys/fs/cgroup/memory/docker/ab/memory.limit_in_bytes': `${1024 * MIB}`,
      'sys/fs/cgroup/memory/memory.limit_in_bytes': NO_LIMIT,
    }),
  ).toEqual({ processors: 3, memory: 1024 * MIB });
});

test('version 1 in a container, whose path names the host', () => {
  expect(
    limitsWith({
      'proc/self/cgroup': '4:cpu,cpuacct:/docker/ab\n3:memory:/docker/ab\n0::/docker/ab',
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '200000',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': `${2048 * MIB}`,
    }),
  ).toEqual({ processors: 2, memory: 2048 * MIB });
});

test('version 1 without a quota', () => {
  expect(
    limitsWith({
      'proc/self/cgroup': '4:cpu:/\n3:memory:/',
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': NO_LIMIT,
    }),
  ).toEqual({ processors: 16, memory: 32_768 * MIB });
});

test.each(['', 'much', '0 0', '100000', '-1 100000', '1e9 1', '9'.repeat(40) + ' 1'])(
  'a quota of %j is none',
  (text) => {
    const { processors } = limitsWith({ ...V2, [`sys/fs/cgroup${UNIT}/cpu.max`]: text });
    expect(processors).toBe(16);
  },
);

test('a path with dots stays below the mount', () => {
  writeFileSync(join(root, 'cpu.max'), '100000 100000');
  const { processors } = limitsWith({
    'proc/self/cgroup': '0::/../../..',
    'sys/fs/cgroup/memory.max': 'max',
  });
  expect(processors).toBe(16);
});

/** The figures that count of a group, as the kernel writes them beside others. */
function statistics(prefix: string, inactive: number, active: number): string {
  const lines = [
    `anon ${900 * MIB}`,
    `file ${7000 * MIB}`,
    `${prefix}inactive_anon ${900 * MIB}`,
    `${prefix}inactive_file ${inactive * MIB}`,
    `${prefix}active_file ${active * MIB}`,
  ];
  return lines.join('\n');
}

test('a machine without control groups, or without limits, has what the system has left', () => {
  expect(availableMemory({ free: 5, root: undefined })).toBe(5);
  expect(availableWith({})).toBe(20_000);
  expect(
    availableWith({
      ...V2,
      [`sys/fs/cgroup${UNIT}/memory.max`]: 'max',
      [`sys/fs/cgroup${UNIT}/memory.high`]: 'max',
      [`sys/fs/cgroup${UNIT}/memory.current`]: `${9000 * MIB}`,
    }),
  ).toBe(20_000);
});

test('files that a synchronization has written do not use up a container, version 2', () => {
  const container = {
    'proc/self/cgroup': '0::/',
    'sys/fs/cgroup/memory.max': `${8192 * MIB}`,
    'sys/fs/cgroup/memory.current': `${8100 * MIB}`,
  };
  expect(availableWith(container)).toBe(92);
  const withFiles = { ...container, 'sys/fs/cgroup/memory.stat': statistics('', 4000, 3000) };
  expect(availableWith(withFiles)).toBe(7092);
  expect(availableWith({ ...withFiles, 'sys/fs/cgroup/memory.high': `${6144 * MIB}` })).toBe(5044);
});

test('the group above with the least left counts, and nothing is less than none', () => {
  const slices = {
    ...V2,
    [`sys/fs/cgroup${UNIT}/memory.max`]: `${4096 * MIB}`,
    [`sys/fs/cgroup${UNIT}/memory.current`]: `${1000 * MIB}`,
    'sys/fs/cgroup/system.slice/memory.max': `${8192 * MIB}`,
    'sys/fs/cgroup/system.slice/memory.current': `${7192 * MIB}`,
  };
  expect(availableWith(slices)).toBe(1000);
  const full = { 'sys/fs/cgroup/system.slice/memory.current': `${8200 * MIB}` };
  expect(availableWith({ ...slices, ...full })).toBe(0);
});

test('version 1 counts the groups below too', () => {
  expect(
    availableWith({
      'proc/self/cgroup': '3:memory:/docker/ab',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': `${2048 * MIB}`,
      'sys/fs/cgroup/memory/memory.usage_in_bytes': `${2000 * MIB}`,
      'sys/fs/cgroup/memory/memory.stat': `inactive_file 4096\nactive_file 0\n${statistics('total_', 700, 100)}`,
    }),
  ).toBe(848);
});

test('this machine has some memory left', () => {
  expect(availableMemory()).toBeGreaterThan(0);
  expect(availableMemory()).toBeLessThanOrEqual(totalmem());
});

test('this machine has at least one processor and some memory', () => {
  const { processors, memory } = machineLimits();
  expect(processors).toBeGreaterThanOrEqual(1);
  expect(processors).toBeLessThanOrEqual(availableParallelism());
  expect(memory).toBeGreaterThan(0);
  expect(memory).toBeLessThanOrEqual(totalmem());
});
