import { dirname, join } from 'node:path';
import { OUR_DAEMON } from './binaries.ts';
import { ManagedProcess, type StartOptions } from './processes.ts';

const CHAIN_TOOL = join(dirname(OUR_DAEMON), 'chain-tool.js');

/** Returns how to run our chain tool, on regtest unless `network` says otherwise. */
export function chainTool(
  dataDir: string,
  command: string,
  args: readonly string[],
  network: readonly string[] = ['--regtest', '--fixed-difficulty', '1'],
): StartOptions {
  return {
    name: `chain-${command}`,
    program: process.execPath,
    cwd: dataDir,
    args: [CHAIN_TOOL, command, ...network, '--data-dir', dataDir, ...args],
    env: { NODE_OPTIONS: '' },
  };
}

/** How a program ended. */
export interface Ending {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end, whatever that is; after `timeout` milliseconds it is killed, and the code is null. */
export async function ending(options: StartOptions, timeout: number): Promise<Ending> {
  const started = await ManagedProcess.start(options);
  const timer = setTimeout(() => void started.kill(), timeout);
  const { code } = await started.exited;
  clearTimeout(timer);
  return { code, output: started.output() };
}
