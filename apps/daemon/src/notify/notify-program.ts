import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { guardEmitter } from '@monero-node/base';
import type { Logger } from '@monero-node/base';

/** Largest number of runs of one program at a time; further runs wait. */
const MAX_RUNNING = 8;
/** Largest number of waiting runs; further runs are dropped. */
const MAX_WAITING = 10_000;

/** The program of a notification option does not exist; the message is for the operator. */
export class NotifyProgramError extends Error {
  override readonly name = 'NotifyProgramError';
}

/**
 * A program that is run on an event. Its command line is split at spaces and tabs only; no shell is involved, and quotes
 * have no meaning. Source: src/common/notify.cpp and src/common/spawn.cpp.
 */
export class NotifyProgram {
  readonly #file: string;
  readonly #arguments: readonly string[];
  readonly #logger: Logger;
  readonly #spawn: typeof spawn;
  readonly #waiting: string[][] = [];
  #running = 0;
  /** Called when the last program has ended. */
  #onIdle: (() => void) | undefined;

  /**
   * @param option name of the option with this command line, for messages
   * @param spawnProgram replaced in tests
   * Throws NotifyProgramError when the program is not a file.
   */
  constructor(option: string, specification: string, logger: Logger, spawnProgram = spawn) {
    const [file = '', ...rest] = specification.split(/[ \t]+/);
    if (!isFile(file)) throw new NotifyProgramError(`--${option}: File not found: ${file}`);
    if (/['"\\]/.test(specification)) {
      logger.warn(`--${option}: quotes and backslashes have no special meaning`);
    }
    // As in monerod, the program is a path; PATH is not searched.
    this.#file = resolve(file);
    this.#arguments = rest;
    this.#logger = logger;
    this.#spawn = spawnProgram;
  }

  /**
   * Starts the program, with every `%x` in its arguments replaced by the value of x, and does not wait for its end. Runs
   * start in the order of the calls.
   */
  run(values: Readonly<Record<string, string>>): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#logger.warn(`${this.#file} is too slow: a notification was dropped`);
      return;
    }
    this.#waiting.push(this.#arguments.map((text) => substitute(text, values)));
    this.#next();
  }

  /** Drops the waiting runs; programs that are running are not ended. */
  stop(): void {
    this.#waiting.length = 0;
  }

  /**
   * Waits until every run has ended, then drops the waiting ones, with a warning. Programs that are running are not ended.
   *
   * @param ms milliseconds to wait, at most
   */
  async finish(ms: number): Promise<void> {
    // Runs wait only while others are running.
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#onIdle = undefined;
    }
    const { length } = this.#waiting;
    if (length > 0)
      this.#logger.warn(`${this.#file} is too slow: ${length} notifications were dropped`);
    this.stop();
  }

  #next(): void {
    while (this.#running < MAX_RUNNING) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  #start(commandLine: readonly string[]): void {
    const failed = (error: unknown): void => {
      this.#logger.error(`${this.#file} could not be run: ${(error as Error).message}`);
    };
    const ended = (): void => {
      this.#running--;
      this.#next();
      if (this.#running === 0) this.#onIdle?.();
    };
    try {
      // As in monerod, the program gets no environment and no standard input.
      const child = guardEmitter(
        this.#spawn(this.#file, commandLine, { env: {}, stdio: ['ignore', 'inherit', 'inherit'] }),
      );
      this.#running++;
      child.unref();
      child.once('exit', ended);
      child.once('error', (error) => {
        failed(error);
        if (child.pid === undefined) ended();
      });
    } catch (error) {
      failed(error);
    }
  }
}

/** Inserts all values at once: what looks like a place of one inside another stays as it is. */
function substitute(text: string, values: Readonly<Record<string, string>>): string {
  const letters = Object.keys(values).join('');
  if (letters === '') return text;
  return text.replace(new RegExp(`%([${letters}])`, 'g'), (place, letter: string) => {
    return values[letter] ?? place;
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
