import { AddonError, loadAddon } from '@monero-node/base/addons';
import { PowUnavailableError } from '../errors.ts';

/** Kinds of caches of the addon: that of RandomX as Monero has used it since 2019, which both versions share. */
export type RandomxAlgorithm = 'rx/0';

/** Opaque owner of a RandomX cache or dataset inside the addon. */
export type MemoryHandle = { readonly __brand: 'randomx-memory' };

/** Opaque handle of long work, which can be canceled and has a progress. */
export type TaskHandle = { readonly __brand: 'randomx-task' };

/** Kinds of pages behind a cache or dataset, best last. */
export type PageKind = 'plain' | 'transparent' | '2-mib' | '1-gib';

/** Flags of librandomx that depend on the processor (randomx.h). */
export const RANDOMX_FLAGS = { hardAes: 2, jit: 8, secure: 16, argon2: 96 } as const;

/** The functions of native/binding.cc. All work runs on the addon's own threads. */
export interface RandomxAddon {
  /** Returns the {@link RANDOMX_FLAGS} that suit this processor. */
  flags(): number;
  createTask(): TaskHandle;
  cancel(task: TaskHandle): void;
  /** Returns the numbers of finished and of all items of a dataset, or hashes of a search. */
  progress(task: TaskHandle): [done: number, total: number];
  /** @param disabled flags that must not be used */
  initCache(algorithm: RandomxAlgorithm, seed: Uint8Array, disabled: number): Promise<MemoryHandle>;
  /** Returns the names of the vector code for dataset items that runs here, the fastest first; none outside Linux. */
  itemPaths(): readonly string[];
  /**
   * @param path a name of `itemPaths`; librandomx computes the items when it is empty
   * @param programs those of the cache, as native/items.h describes them; any bytes when `path` is empty
   */
  initDataset(
    cache: MemoryHandle,
    threads: number,
    task: TaskHandle,
    path: string,
    programs: Uint8Array,
  ): Promise<MemoryHandle>;
  /** Returns `count` dataset items of 64 bytes from number `first` on; at most 65536. */
  items(
    cache: MemoryHandle,
    path: string,
    programs: Uint8Array,
    first: number,
    count: number,
  ): Promise<Uint8Array>;
  /**
   * `isVector`: whether the items of a dataset were made by vector code, which is compared with librandomx. `hasDiffered`: whether
   * they differed, so that librandomx made all of them. Neither where the code could not be tried.
   */
  describe(handle: MemoryHandle): {
    readonly flags: number;
    readonly pages: PageKind;
    readonly isVector: boolean;
    readonly hasDiffered: boolean;
  };
  /** @param isV2 whether the hash is one of RandomX version 2; a librandomx that has none computes version 1 */
  hash(handle: MemoryHandle, blob: Uint8Array, isV2: boolean): Promise<Uint8Array>;
  /**
   * @param isPatient whether threads that compute a dataset go first
   * @param isV2 as for `hash`
   * @param isCommitted whether the commitment to the hash is compared with the difficulty
   */
  search(
    handle: MemoryHandle,
    task: TaskHandle,
    blob: Uint8Array,
    nonceOffset: number,
    startNonce: number,
    stride: number,
    count: number,
    difficulty: bigint,
    isPatient: boolean,
    isV2: boolean,
    isCommitted: boolean,
  ): Promise<{ readonly hashes: number; readonly nonce?: number }>;
  /** Resolves once the memory is freed, or immediately when running work still uses it. */
  release(handle: MemoryHandle): Promise<void>;
  /** Returns memory that the whole process has no use for to the system. */
  releaseUnusedMemory(): Promise<void>;
}

const INSTALL =
  'install a C++ compiler and librandomx (Debian: apt-get install g++ librandomx-dev; ' +
  'elsewhere set RANDOMX_PREFIX), then run "npm run setup"';

/**
 * Returns the addon for this machine: the one compiled in a checkout of the repository, or that of the optional package
 * for this platform.
 *
 * Throws PowUnavailableError ('no-library') with a message that says why and, in a checkout, what to install.
 */
export function requireRandomxAddon(): RandomxAddon {
  try {
    return loadAddon<RandomxAddon>({
      from: import.meta.url,
      // src/ and dist/ are both next to native/.
      compiled: '../../native/build/randomx.node',
      install: INSTALL,
      prebuilt: '@monero-node/pow',
    });
  } catch (cause) {
    if (!(cause instanceof AddonError)) throw cause;
    const message = `native RandomX is not available: ${cause.message}`;
    throw new PowUnavailableError('no-library', message, { cause });
  }
}

/** Returns the compiled addon, or undefined when it is not available. */
export function loadRandomxAddon(): RandomxAddon | undefined {
  try {
    return requireRandomxAddon();
  } catch {
    return undefined;
  }
}

/** Returns the typed error for a failure inside the addon. */
export function addonError(error: unknown): PowUnavailableError {
  if (error instanceof PowUnavailableError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const known = { ENOMEM: 'no-memory', ECANCELED: 'closed', EAGAIN: 'no-memory' } as const;
  const kind = known[code as keyof typeof known] ?? 'failed';
  return new PowUnavailableError(kind, `RandomX: ${message}`, { cause: error });
}
