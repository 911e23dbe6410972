import type { FcmpModule } from './module.ts';

/** Returns base^exponent modulo a prime of the cycle, for both below 2^255. */
export function wasmPower(
  module: FcmpModule,
  base: bigint,
  exponent: bigint,
  prime: bigint,
): bigint {
  module.begin(prime, 2, 1).pushAll([base, exponent]);
  return module.element(module.wasm.power(module.place), 0) % prime;
}

/**
 * Returns a square root modulo a prime of the cycle of an element, either of the two, or undefined if it has none. Source: RFC 8032, 5.1.3, for
 * primes that are 5 modulo 8; others of the cycle are 3 modulo 4.
 */
export function wasmSquareRoot(
  module: FcmpModule,
  value: bigint,
  prime: bigint,
): bigint | undefined {
  const squared = (root: bigint): bigint => (root * root) % prime;
  if (prime % 4n === 3n) {
    const root = wasmPower(module, value, (prime + 1n) / 4n, prime);
    return squared(root) === value ? root : undefined;
  }
  const candidate = wasmPower(module, value, (prime + 3n) / 8n, prime);
  if (squared(candidate) === value) return candidate;
  const rootOfMinusOne = wasmPower(module, 2n, (prime - 1n) / 4n, prime);
  const other = (candidate * rootOfMinusOne) % prime;
  return squared(other) === value ? other : undefined;
}
