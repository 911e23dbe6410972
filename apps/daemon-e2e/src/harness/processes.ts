import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processFolder, startTicks } from '../../leftovers.js';
import { runHome } from './run-folder.ts';
import { sleep } from './wait.ts';

const registry = (): string => {
  const folder = processFolder(runHome());
  mkdirSync(folder, { recursive: true });
  return folder;
};

export interface StartOptions {
  /** Name for messages and the log file. */
  name: string;
  program: string;
  args: readonly string[];
  cwd: string;
  env?: Record<string, string>;
}

/** A child process whose output goes to a log file under the run's folder. */
export class ManagedProcess {
  readonly name: string;
  readonly logFile: string;
  readonly command: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  #exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  private constructor(name: string, command: string, logFile: string, child: ChildProcess) {
    if (child.pid === undefined) throw new Error(`${name}: could not start ${command}`);
    this.name = name;
    this.command = command;
    this.logFile = logFile;
    this.pid = child.pid;
    this.#child = child;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#exit = { code, signal };
        rmSync(join(registry(), String(this.pid)), { force: true });
        resolve(this.#exit);
      });
    });
  }

  /** Throws Error when the program cannot be started. */
  static async start(options: StartOptions): Promise<ManagedProcess> {
    const logs = join(runHome(), 'logs');
    mkdirSync(logs, { recursive: true });
    const logFile = join(logs, `${options.name}-${Date.now()}.log`);
    const output = openSync(logFile, 'a');
    try {
      const child = spawn(options.program, options.args, {
        cwd: options.cwd,
        stdio: ['ignore', output, output],
        // Test runners force colors, which would end up in what the tests read.
        env: { ...process.env, FORCE_COLOR: '0', ...options.env },
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
      const command = [options.program, ...options.args].join(' ');
      const started = new ManagedProcess(options.name, command, logFile, child);
      writeFileSync(join(registry(), String(started.pid)), startTicks(started.pid) ?? '');
      return started;
    } finally {
      closeSync(output);
    }
  }

  get running(): boolean {
    return this.#exit === undefined;
  }

  /** Returns the output of the process so far. */
  output(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  /** Returns the last lines of the output, for error messages. */
  tail(lines = 20): string {
    return this.output().split('\n').slice(-lines).join('\n');
  }

  kill(): Promise<unknown> {
    if (this.running) this.#child.kill('SIGKILL');
    return this.exited;
  }

  /**
   * Asks the process to stop (SIGTERM) and waits; after `timeout` milliseconds it is killed.
   * Returns the exit code, null when a signal ended it.
   */
  async stop(timeout = 60_000): Promise<number | null> {
    if (this.running) this.#child.kill('SIGTERM');
    const timer = new AbortController();
    await Promise.race([
      this.exited,
      sleep(timeout, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    await this.kill();
    return this.#exit?.code ?? null;
  }
}

/** Runs a program to its end. Throws Error when it fails or takes over `timeout` milliseconds. */
export async function run(options: StartOptions, timeout: number): Promise<string> {
  const started = await ManagedProcess.start(options);
  const timer = setTimeout(() => void started.kill(), timeout);
  const { code } = await started.exited;
  clearTimeout(timer);
  if (code !== 0) {
    throw new Error(`${options.name} ended with ${String(code)}:\n${started.tail()}`);
  }
  return started.output();
}
