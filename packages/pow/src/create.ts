import { availableParallelism } from 'node:os';
import { CompositePowHasher } from './composite-hasher.ts';
import { CryptonightHasher } from './cryptonight/hasher.ts';
import { requireRandomxAddon } from './native/addon.ts';
import { NativeRandomxHasher } from './native/hasher.ts';
import type { PowHasher } from './pow-hasher.ts';

/**
 * The best proof-of-work hasher of this machine.
 *
 * @param options.threads hashes computed at once; default: one per core.
 * @throws PowUnavailableError when no implementation is available.
 */
export function createPowHasher(options: { threads?: number } = {}): PowHasher {
  const threads = options.threads ?? availableParallelism();
  const randomx = new NativeRandomxHasher(requireRandomxAddon(), threads);
  return new CompositePowHasher(randomx.name, {
    randomx,
    cryptonight: new CryptonightHasher(threads),
  });
}
