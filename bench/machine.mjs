// The machine on which figures were measured.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { present } from './values.mjs';

/** Returns the processor, its threads and the version of Node, for tables and reports. */
export function machineText() {
  return `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} threads, Node ${process.version}`;
}

/** Instructions that decide which code our backends and RandomX take. */
const FEATURES = ['aes', 'avx2', 'avx512ifma', 'sha_ni', 'asimd'];

function features() {
  try {
    const [, flags = ''] =
      /^(?:flags|Features)\s*:\s*(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'latin1')) ?? [];
    const all = new Set(flags.split(' '));
    return FEATURES.filter((feature) => all.has(feature));
  } catch {
    return []; // not Linux
  }
}

function monerodVersion() {
  try {
    const text = execFileSync(process.env.MONEROD ?? 'monerod', ['--version'], {
      encoding: 'utf8',
    });
    return /v[\d.]+/.exec(text)?.[0] ?? 'unknown';
  } catch {
    return 'none';
  }
}

const loadOfLastMinute = () => present(loadavg()[0]);

/** Returns the same with memory, system and versions, for files of figures. */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    threads: availableParallelism(),
    features: features(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    monerod: monerodVersion(),
    load: loadOfLastMinute(),
  };
}

/** Warns if other programs kept the machine busy; the benchmark itself uses at most all processors. */
export function warnWhenBusy() {
  const load = loadOfLastMinute();
  if (load <= availableParallelism() + 1) return;
  console.log(
    `\nThe load of this machine was ${load.toFixed(1)} in the last minute: these figures are not to be trusted.`,
  );
}
