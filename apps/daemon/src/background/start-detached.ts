import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { guardEmitter } from '@monero-node/base';
import { makeFolder } from '@monero-node/storage';
import { markedEnvironment, type StartReport } from './start-report.ts';

/** The daemon did not start in the background; the message says why. */
export class DetachError extends Error {
  override readonly name = 'DetachError';
}

export interface DetachedProgram {
  /** Path of the script to run with Node. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly logFile: string;
}

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a program in the background, in its own session without a terminal, and waits until it has started.
 * Node cannot fork like monerod (src/daemonizer/posix_fork.cpp), so the program is started again. Its standard error,
 * for example the message of a crash, is appended to the log file. Returns the process id.
 *
 * Throws DetachError when the program fails to start. monerod's command returns before it can know that.
 */
export async function startDetached({ program, argv, logFile }: DetachedProgram): Promise<number> {
  makeFolder(dirname(logFile));
  const log = openSync(logFile, 'a', 0o640);
  const child = guardEmitter(
    spawn(process.execPath, [...process.execArgv, program, ...argv], {
      detached: true,
      stdio: ['ignore', 'ignore', log, 'ipc'],
      env: markedEnvironment(process.env),
    }),
  );
  closeSync(log);
  const failure = await outcome(child, logFile);
  child.unref();
  if (failure !== undefined) throw new DetachError(failure);
  return child.pid ?? 0;
}

/** Waits for the start; returns the reason of a failure or undefined. An interrupt during the wait ends the program. */
async function outcome(child: ChildProcess, logFile: string): Promise<string | undefined> {
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    child.kill('SIGTERM');
  };
  for (const signal of INTERRUPTS) process.on(signal, interrupt);
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('message', (report: StartReport) => {
      resolve('failed' in report ? report.failed : undefined);
    });
    // Not 'exit', which may come before the last message.
    child.once('close', (code, signal) => {
      const end = signal === null ? `with status ${code}` : `by ${signal}`;
      resolve(`The daemon ended ${end} before it had started, see ${logFile}`);
    });
  });
  for (const signal of INTERRUPTS) process.off(signal, interrupt);
  return interrupted ? 'Interrupted: the daemon was told to stop' : failure;
}
