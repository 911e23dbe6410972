import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { createH, G as BASE } from '../curve/point.ts';
import { encodeScalar, Fn, hashToScalar } from '../curve/scalar.ts';
import { slidScalar } from '../reference/borromean.ts';
import type { BorromeanProof } from '../types.ts';
import { addTerms, type Term } from '../insecure-signer/add-terms.ts';
import type { TestRandom } from './random.ts';

const BITS = 64;
const [G, H] = [BASE.toBytes(), createH().toBytes()] as const;
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
  const bits = Array.from({ length: BITS }, (_, i) => (opening.amount >> BigInt(i)) & 1n);
  const masks = bits.map(() => random.scalar());
  const rest = masks.slice(0, -1).reduce((sum, mask) => Fn.sub(sum, mask), opening.mask);
  masks[BITS - 1] = rest;
  const powers = bits.map((_, i) => 2n ** BigInt(i));
  const points = addTerms(
    bits.map((bit, i) => [
      [masks[i] as bigint, G],
      [bit * (powers[i] as bigint), H],
    ]),
  );

  // For a bit of 1 the second scalar is chosen now; for a bit of 0 the ring starts there with a nonce.
  const nonces = bits.map(() => random.scalar());
  const s1 = bits.map(() => random.scalar());
  const starts = addTerms(nonces.map((nonce) => [[nonce, G]]));
  const last = addTerms(
    bits.map((bit, i): Term[] => {
      if (bit === 1n) return [[nonces[i] as bigint, G]];
      // s1·G + challenge·(mask·G - 2^i·H)
      const challenge = hashToScalar(starts[i] as Uint8Array);
      const timesG = Fn.add(s1[i] as bigint, Fn.mul(challenge, masks[i] as bigint));
      return [
        [timesG, G],
        [Fn.neg(Fn.mul(challenge, powers[i] as bigint)), H],
      ];
    }),
  );
  // The nonces of bits that are 1 belong to the second ring member, so their L1 is known without a challenge.
  const ee = hashToScalar(...last);
  const s0 = bits.map((bit, i) => {
    if (bit === 0n) return Fn.sub(nonces[i] as bigint, Fn.mul(ee, masks[i] as bigint));
    return random.scalar();
  });
  const firsts = addTerms(
    s0.map((s, i) => [
      [s, G],
      [ee, points[i] as Uint8Array],
    ]),
  );
  for (const [i, bit] of bits.entries()) {
    if (bit === 0n) continue;
    const challenge = hashToScalar(firsts[i] as Uint8Array);
    s1[i] = Fn.sub(nonces[i] as bigint, Fn.mul(challenge, masks[i] as bigint));
  }
  const [commitment] = addTerms([points.map((point) => [1n, point])]) as [Uint8Array];
  return {
    commitment,
    ee: encodeScalar(ee),
    s0: s0.map(write),
    s1: s1.map(write),
    Ci: points,
  };
}
