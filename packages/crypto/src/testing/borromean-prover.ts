import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { createH, encodePoints, G, Point } from '../curve/point.ts';
import { Fn, hashToScalar } from '../curve/scalar.ts';
import { encodeScalar } from '../curve/scalar.ts';
import { slidScalar } from '../reference/borromean.ts';
import type { BorromeanProof } from '../types.ts';
import type { TestRandom } from './random.ts';

const BITS = 64;
const LIMIT = 2n ** 256n;

/**
 * Returns 32 bytes that upstream treats as the scalar although they are not congruent to it modulo l, because its
 * recoding loses 2^256 of them; undefined if none are found.
 */
function overflowing(scalar: bigint): Uint8Array | undefined {
  const target = Fn.create(scalar + LIMIT);
  for (let k = 15n; k >= 12n; k--) {
    const value = target + k * Fn.ORDER;
    if (value >= LIMIT) continue;
    const bytes = numberToBytesLE(value, 32);
    if (slidScalar(bytes) === scalar && Fn.create(bytesToNumberLE(bytes)) !== scalar) return bytes;
  }
  return undefined;
}

/**
 * Proves that an amount fits in 64 bits as wallets did before Bulletproofs. With `unreduced`, as many as possible of
 * the scalars are written so that they count only under upstream's recoding.
 */
export function proveBorromean(
  opening: { amount: bigint; mask: bigint },
  random: TestRandom,
  options: { unreduced?: boolean } = {},
): BorromeanProof {
  const write = (scalar: bigint) =>
    (options.unreduced ? overflowing(scalar) : undefined) ?? encodeScalar(scalar);
  const H = createH();
  const bits = Array.from({ length: BITS }, (_, i) => (opening.amount >> BigInt(i)) & 1n);
  const masks = bits.map(() => random.scalar());
  const rest = masks.slice(0, -1).reduce((sum, mask) => Fn.sub(sum, mask), opening.mask);
  masks[BITS - 1] = rest;
  const powers = bits.map((_, i) => H.multiplyUnsafe(2n ** BigInt(i)));
  const points = masks.map((mask, i) =>
    G.multiplyUnsafe(mask).add(bits[i] ? (powers[i] as Point) : Point.ZERO),
  );

  // For a bit of 1 the second scalar is chosen now; for a bit of 0 the ring starts there with a nonce.
  const nonces = bits.map(() => random.scalar());
  const s1 = bits.map(() => random.scalar());
  const last = points.map((point, i) => {
    if (bits[i] === 1n) return G.multiplyUnsafe(nonces[i] as bigint);
    const [first] = encodePoints([G.multiplyUnsafe(nonces[i] as bigint)]) as [Uint8Array];
    const challenge = hashToScalar(first);
    const shifted = point.subtract(powers[i] as Point);
    return G.multiplyUnsafe(s1[i] as bigint).add(shifted.multiplyUnsafe(challenge));
  });
  // The nonces of bits that are 1 belong to the second ring member, so their L1 is known without a challenge.
  const ee = hashToScalar(...encodePoints(last));
  const s0 = bits.map((bit, i) => {
    if (bit === 0n) return Fn.sub(nonces[i] as bigint, Fn.mul(ee, masks[i] as bigint));
    return random.scalar();
  });
  for (const [i, bit] of bits.entries()) {
    if (bit === 0n) continue;
    const point = points[i] as Point;
    const first = G.multiplyUnsafe(s0[i] as bigint).add(point.multiplyUnsafe(ee));
    const challenge = hashToScalar(...encodePoints([first]));
    s1[i] = Fn.sub(nonces[i] as bigint, Fn.mul(challenge, masks[i] as bigint));
  }
  const commitment = points.reduce((sum, point) => sum.add(point), Point.ZERO).toBytes();
  return {
    commitment,
    ee: encodeScalar(ee),
    s0: s0.map(write),
    s1: s1.map(write),
    Ci: encodePoints(points),
  };
}
