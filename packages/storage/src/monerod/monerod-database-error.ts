/**
 * Why a database of monerod cannot be used:
 * - `not-found`: there is no database in the folder;
 * - `in-use`: a program, normally monerod, has it open or changed it while it was read;
 * - `unknown-version`: its format, or the version of monerod's tables, is not one this package reads;
 * - `damaged`: the file contradicts itself;
 * - `io`: the operating system refused.
 */
export type MonerodDatabaseErrorCode =
  'not-found' | 'in-use' | 'unknown-version' | 'damaged' | 'io';

/** The only error that reading monerod's database throws on purpose; `code` is for programs, `message` for people. */
export class MonerodDatabaseError extends Error {
  override readonly name = 'MonerodDatabaseError';
  readonly code: MonerodDatabaseErrorCode;

  constructor(code: MonerodDatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the error about a file that contradicts itself. */
export function damaged(what: string): MonerodDatabaseError {
  return new MonerodDatabaseError('damaged', `the database of monerod is damaged: ${what}`);
}
