import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from './binaries.ts';
import { LOOPBACK } from './ports.ts';
import { ManagedProcess } from './processes.ts';
import { newFolder } from './run-folder.ts';

/** A running xmrig. */
export interface RunningXmrig {
  readonly process: ManagedProcess;
  /** Returns what it has logged so far. */
  log(): string;
}

/** `fast` takes 2.3 GiB, and minutes on two cores before the first hash. */
type RandomxMode = 'light' | 'fast';

/** Starts xmrig in daemon mode against the node whose RPC listens on `daemonPort`: one thread, light RandomX. */
export function startXmrig(daemonPort: number, address: string): Promise<RunningXmrig> {
  const args = [
    ...['--daemon', '-o', `${LOOPBACK}:${daemonPort}`, '--coin', 'monero', '-u', address],
    ...['--daemon-poll-interval', '500'],
  ];
  return start('xmrig', args, 'light');
}

/**
 * Starts xmrig as a rig of the node whose stratum server listens on `port`: one thread, light RandomX unless another mode is given.
 * It comes again after a second whenever the node is away.
 */
export function startRig(
  port: number,
  name: string,
  password: string,
  more: readonly string[] = [],
  mode: RandomxMode = 'light',
): Promise<RunningXmrig> {
  const node = ['-o', `${LOOPBACK}:${port}`, '--retry-pause', '1'];
  return start(`xmrig-${name}`, [...node, '-u', name, '-p', password, ...more], mode);
}

async function start(
  name: string,
  args: readonly string[],
  mode: RandomxMode,
): Promise<RunningXmrig> {
  const folder = newFolder(name);
  const log = join(folder, 'xmrig.log');
  const xmrig = await ManagedProcess.start({
    name,
    program: requireProgram('xmrig'),
    cwd: folder,
    env: { HOME: folder },
    args: [
      ...args,
      ...['-t', '1', `--randomx-mode=${mode}`, '--no-color', '--no-huge-pages'],
      ...['--donate-level', '0', '--log-file', log],
    ],
  });
  // One that is killed at once has written nothing.
  return { process: xmrig, log: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
}
