import { readFileSync } from 'node:fs';
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

/** Starts xmrig in daemon mode against the node whose RPC listens on `daemonPort`: one thread, light RandomX. */
export async function startXmrig(daemonPort: number, address: string): Promise<RunningXmrig> {
  const folder = newFolder('xmrig');
  const log = join(folder, 'xmrig.log');
  const xmrig = await ManagedProcess.start({
    name: 'xmrig',
    program: requireProgram('xmrig'),
    cwd: folder,
    env: { HOME: folder },
    args: [
      ...['--daemon', '-o', `${LOOPBACK}:${daemonPort}`, '--coin', 'monero'],
      ...['-u', address, '-t', '1', '--randomx-mode=light'],
      ...['--daemon-poll-interval', '500', '--no-color', '--no-huge-pages'],
      ...['--log-file', log],
    ],
  });
  return { process: xmrig, log: () => readFileSync(log, 'utf8') };
}
