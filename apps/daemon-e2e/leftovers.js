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

/** Where the processes of one worker of the test runner are recorded. */
export function processFolder(home, worker = process.env.JEST_WORKER_ID ?? '0') {
  return join(home, 'processes', worker);
}

/**
 * Kills the processes that a run recorded in `<home>/processes/<worker>` (file name: pid, content:
 * start time) and that still run: those whose parent died without stopping them. Returns how many.
 */
export function killLeftovers(home) {
  return namesIn(join(home, 'processes')).reduce(
    (killed, worker) => killed + killLeftoversIn(processFolder(home, worker)),
    0,
  );
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The same for the processes of one worker. */
export function killLeftoversIn(folder) {
  let killed = 0;
  for (const name of namesIn(folder)) {
    const recorded = readFileSync(join(folder, name), 'utf8');
    if (recorded !== '' && startTicks(Number(name)) === recorded) {
      process.kill(Number(name), 'SIGKILL');
      killed++;
    }
    rmSync(join(folder, name), { force: true });
  }
  return killed;
}
