import type { Logger } from '@monero-node/base';
import { writeCrashReport } from './crash-report.ts';
import { EXIT } from './exit-codes.ts';
import { failureOfProgram, isFailedCommit } from './failure.ts';

/** Milliseconds for an orderly end after a crash. Part of the program may no longer answer. */
const END_MS = 30_000;
/** Errors that are logged; a broken program may throw without end. */
const MAX_LOGGED = 20;

export interface UncaughtErrorOptions {
  readonly logger: Logger;
  /** Folder of crash reports. */
  readonly dataDir: string;
  readonly version: string;
  /** The options given, without secrets. */
  readonly options: readonly string[];
  /** Returns the newest lines of the log. */
  readonly recentLines: () => readonly string[];
  /** Called for every error, with the status to end with. */
  readonly onFailure: (status: number) => void;
}

/**
 * Handles what no other code has handled: an exception that reached the event loop, or a rejection.
 * It is logged with its stack, the first error of the program is written to a crash report, and the process ends: in
 * order if it still can, after half a minute in any case. The store survives that: a commit is there or not.
 */
export class UncaughtErrors {
  readonly #options: UncaughtErrorOptions;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UncaughtErrorOptions) {
    this.#options = options;
    process.on('uncaughtException', this.#handle);
    process.on('unhandledRejection', this.#handle);
  }

  /** Removes the handlers: Node then ends the process at the next error. */
  close(): void {
    process.off('uncaughtException', this.#handle);
    process.off('unhandledRejection', this.#handle);
    clearTimeout(this.#timer);
  }

  readonly #handle = (error: unknown): void => {
    const { logger, dataDir, onFailure } = this.#options;
    const { status, text } = failureOfProgram(error, dataDir);
    const ofProgram = status === EXIT.software;
    if (isFailedCommit(error)) {
      logger.debug(`stopping: ${text}`);
    } else if (++this.#count <= MAX_LOGGED) {
      logger.error(ofProgram ? `unexpected error: ${text}` : `stopping: ${text}`);
    }
    if (ofProgram && this.#timer === undefined) this.#report(text);
    this.#timer ??= setTimeout(() => {
      logger.error('the parts of the program did not stop: ending without them');
      process.exit(status);
    }, END_MS);
    onFailure(status);
  };

  #report(error: string): void {
    const { logger, dataDir, version, options, recentLines } = this.#options;
    try {
      const path = writeCrashReport(dataDir, { version, options, error, log: recentLines() });
      logger.error(`crash report: ${path}`);
    } catch (failed) {
      logger.error(`no crash report could be written: ${(failed as Error).message}`);
    }
  }
}
