// Reads processor time, memory and wake-ups of a running process from /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { cpuSeconds } from './programs.mjs';

/** Returns a field in kB of /proc/PID/status as MB (millions of bytes). */
function megabytes(status, field) {
  const [, kilobytes = '0'] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status) ?? [];
  return (Number(kilobytes) * 1024) / 1e6;
}

/**
 * Returns the memory of a process in MB: resident, the part that is no page of a file, and the part that the kernel could
 * drop because a file holds it too.
 */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return {
    resident: megabytes(status, 'VmRSS'),
    anonymous: megabytes(status, 'RssAnon'),
    files: megabytes(status, 'RssFile'),
  };
}

/** Returns how often the threads of a process have gone to sleep since they began, by the thread's name. */
export function sleepsOf(pid) {
  const sleeps = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    let status;
    try {
      status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1');
    } catch {
      continue; // the thread has ended
    }
    const [, name = '?'] = /^Name:\s+(.*)$/m.exec(status) ?? [];
    const [, count = '0'] = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(status) ?? [];
    sleeps.set(name, (sleeps.get(name) ?? 0) + Number(count));
  }
  return sleeps;
}

/** Returns what a process has used until now: monotonic milliseconds, seconds of processor time, sleeps by thread. */
export function useOf(pid) {
  return { at: performance.now(), cpu: cpuSeconds(pid), sleeps: sleepsOf(pid) };
}

/** Returns the use between two samples: seconds, percent of one processor, wake-ups a second, and those by thread. */
export function useBetween(first, last) {
  const seconds = (last.at - first.at) / 1000;
  const cpuSecondsUsed = last.cpu - first.cpu;
  const byThread = [...last.sleeps]
    .map(([name, count]) => [name, (count - (first.sleeps.get(name) ?? 0)) / seconds])
    .sort(([, a], [, b]) => b - a);
  return {
    seconds,
    cpuSeconds: cpuSecondsUsed,
    cpuPercent: (100 * cpuSecondsUsed) / seconds,
    wakeups: byThread.reduce((sum, [, rate]) => sum + rate, 0),
    wakeupsByThread: Object.fromEntries(byThread.filter(([, rate]) => rate >= 0.05)),
  };
}
