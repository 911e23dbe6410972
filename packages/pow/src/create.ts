import { availableParallelism } from 'node:os';
import { CompositePowHasher } from './composite-hasher.ts';
import { CryptonightHasher } from './cryptonight/hasher.ts';
import { loadRandomxAddon } from './native-addon.ts';
import { NativePowHasher } from './native-hasher.ts';
import { PowUnavailableError } from './errors.ts';
import type { PowHasher } from './pow-hasher.ts';

/** libuv's pool has four threads; one stays free for storage and files. */
const MAX_THREADS = 3;

/**
 * The best proof-of-work hasher of this machine.
 *
 * @param options.threads hashes computed at once; default: one per core, at most three.
 * @throws PowUnavailableError when no implementation is available.
 */
export function createPowHasher(options: { threads?: number } = {}): PowHasher {
  const addon = loadRandomxAddon();
  if (addon === undefined) {
    throw new PowUnavailableError(
      'no-library',
      'RandomX is not available: install a C++ compiler and librandomx ' +
        '(Debian: apt-get install g++ librandomx-dev), then run "npm run setup"',
    );
  }
  const threads = options.threads ?? Math.min(MAX_THREADS, availableParallelism());
  const randomx = new NativePowHasher(addon, threads);
  const cryptonight = new CryptonightHasher(availableParallelism());
  return new CompositePowHasher(randomx.name, { randomx, cryptonight });
}
