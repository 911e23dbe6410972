import { MachineError } from '@monero-node/base';

/**
 * The kinds of failure of a store:
 * - `locked`: another live process has this data directory open;
 * - `schema-newer`: the files were written by a newer version of this package;
 * - `damaged`: the files are not (or no longer) a store this package can read;
 * - `duplicate-key-image`, `duplicate-tx`, `duplicate-block`: the change would record it twice;
 * - `bad-height`: blocks do not join on to the chain, or a pop goes above it;
 * - `bad-record`: a record contradicts itself (a length, a missing commitment, a number out of range);
 * - `read-only`: a write on a store opened for reading;
 * - `closed`: a call after `close()`;
 * - `io`: the operating system refused (disk full, permissions…); `systemCode` has its reason.
 */
export type StorageErrorCode =
  | 'locked'
  | 'schema-newer'
  | 'damaged'
  | 'duplicate-key-image'
  | 'duplicate-tx'
  | 'duplicate-block'
  | 'bad-height'
  | 'bad-record'
  | 'read-only'
  | 'closed'
  | 'io';

/** The only error the store throws on purpose; `code` is for programs, `message` for people. */
export class StorageError extends MachineError {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** With `io`: the reason of the operating system or of LMDB, such as `ENOSPC` or `MDB_MAP_FULL`. */
  readonly systemCode: string | undefined;
  /** For `duplicate-…`: the height of the block that was to be appended. */
  readonly height: number | undefined;

  constructor(
    code: StorageErrorCode,
    message: string,
    options?: ErrorOptions & {
      readonly height?: number;
      readonly systemCode?: string | undefined;
    },
  ) {
    super(message, options);
    this.code = code;
    this.height = options?.height;
    this.systemCode = options?.systemCode;
  }
}

/** Returns the error of a call after `close()`. */
export function closedError(): StorageError {
  return new StorageError('closed', 'the store is closed');
}
