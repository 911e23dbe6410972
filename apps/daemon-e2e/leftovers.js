import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Kernel start time of a live process in clock ticks, so that a reused pid is told apart. */
export function startTicks(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * Kills the processes that a run recorded in `<home>/processes` (file name: pid, content: start
 * time) and that still run: those whose parent died without stopping them. Returns how many.
 */
export function killLeftovers(home) {
  const folder = join(home, 'processes');
  let names;
  try {
    names = readdirSync(folder);
  } catch {
    return 0;
  }
  let killed = 0;
  for (const name of names) {
    const recorded = readFileSync(join(folder, name), 'utf8');
    if (recorded !== '' && startTicks(Number(name)) === recorded) {
      process.kill(Number(name), 'SIGKILL');
      killed++;
    }
    rmSync(join(folder, name), { force: true });
  }
  return killed;
}
