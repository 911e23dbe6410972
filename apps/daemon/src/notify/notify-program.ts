import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from '@monero-node/base';

/** Children of one program that run at a time; the others wait for their turn. */
const MAX_RUNNING = 8;
/** Runs that wait; what comes on top of them is dropped. */
const MAX_WAITING = 10_000;

/** The program of a notification option can't be run; the message is for the person who wrote it. */
export class NotifyProgramError extends Error {
  override readonly name = 'NotifyProgramError';
}

/**
 * A program that is run when something happens. The specification is split at spaces and tabs and nothing else: there is no
 * shell, and quotes mean nothing. Source of the rules: src/common/notify.cpp and spawn.cpp.
 */
export class NotifyProgram {
  readonly #file: string;
  readonly #arguments: readonly string[];
  readonly #logger: Logger;
  readonly #waiting: string[][] = [];
  #running = 0;

  /**
   * @param option the option it was given with, for messages.
   * @throws NotifyProgramError when there is no such file.
   */
  constructor(option: string, specification: string, logger: Logger) {
    const [file = '', ...rest] = specification.split(/[ \t]+/);
    if (!isFile(file)) throw new NotifyProgramError(`--${option}: File not found: ${file}`);
    if (/['"\\]/.test(specification)) {
      logger.warn(`--${option}: quotes and backslashes are passed on as they are`);
    }
    // A path, never a name to be looked for in the usual places.
    this.#file = resolve(file);
    this.#arguments = rest;
    this.#logger = logger;
  }

  /**
   * Has the program run, with every `%x` in its arguments replaced by what `values` has for x. Does not wait for it; runs
   * begin in the order they were asked for.
   */
  run(values: Readonly<Record<string, string>>): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#logger.warn(`${this.#file} does not keep up: a notification is dropped`);
      return;
    }
    this.#waiting.push(this.#arguments.map((text) => substitute(text, values)));
    this.#next();
  }

  /** Forgets what waits; what runs is left alone. */
  stop(): void {
    this.#waiting.length = 0;
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
    };
    try {
      // As with monerod the program gets no environment and no standard input.
      const child = spawn(this.#file, commandLine, {
        env: {},
        stdio: ['ignore', 'inherit', 'inherit'],
      });
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

function substitute(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (result, [letter, value]) => result.replaceAll(`%${letter}`, () => value),
    text,
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
