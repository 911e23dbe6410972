import { ed25519 } from '@noble/curves/ed25519.js';

/** The base field modulo p = 2^255 - 19. */
export const Fp = ed25519.Point.Fp;

const p = Fp.ORDER;

/** A square root of -1 modulo p, namely 2^((p-1)/4). */
export const SQRT_MINUS_ONE = Fp.pow(2n, (p - 1n) / 4n);

function squareTimes(x: bigint, times: number): bigint {
  let result = x;
  for (let i = 0; i < times; i++) result = (result * result) % p;
  return result;
}

/** Returns x^((p-5)/8) = x^(2^252 - 3) by the usual addition chain; the name xN below means x^(2^N - 1). */
function powPMinus5Over8(x: bigint): bigint {
  const x2 = (squareTimes(x, 1) * x) % p;
  const x4 = (squareTimes(x2, 2) * x2) % p;
  const x5 = (squareTimes(x4, 1) * x) % p;
  const x10 = (squareTimes(x5, 5) * x5) % p;
  const x20 = (squareTimes(x10, 10) * x10) % p;
  const x40 = (squareTimes(x20, 20) * x20) % p;
  const x80 = (squareTimes(x40, 40) * x40) % p;
  const x160 = (squareTimes(x80, 80) * x80) % p;
  const x240 = (squareTimes(x160, 80) * x80) % p;
  const x250 = (squareTimes(x240, 10) * x10) % p;
  return (squareTimes(x250, 2) * x) % p;
}

/**
 * Returns the candidate root of u/v modulo p, u·v³·(u·v⁷)^((p-5)/8), for u and v in [0, p). Its square is
 * u/v times a fourth root of unity; the caller finds out which. Source: fe_divpowm1 in src/crypto/crypto-ops.c.
 */
export function rootCandidate(u: bigint, v: bigint): bigint {
  const v3 = (((v * v) % p) * v) % p;
  const v7 = (((v3 * v3) % p) * v) % p;
  return (((u * v3) % p) * powPMinus5Over8((u * v7) % p)) % p;
}

/** Returns one of the two square roots of x modulo p. Throws RangeError when x is not a square. */
export function squareRoot(x: bigint): bigint {
  const candidate = rootCandidate(Fp.create(x), 1n);
  const square = Fp.sqr(candidate);
  if (square === Fp.create(x)) return candidate;
  if (square === Fp.neg(Fp.create(x))) return Fp.mul(candidate, SQRT_MINUS_ONE);
  throw new RangeError('not a square modulo p');
}
