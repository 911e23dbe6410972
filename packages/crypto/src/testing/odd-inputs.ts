import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { numberToBytesLE } from '@noble/curves/utils.js';
import { Fp } from '../curve/field.ts';
import { decodePoint, Point } from '../curve/point.ts';
import { encodeScalar, Fn } from '../curve/scalar.ts';
import { flipBit } from './mutations.ts';
import type { TestRandom } from './random.ts';

const p = Fp.ORDER;
const l = Fn.ORDER;
const LIMIT = 2n ** 256n;

/** The eight points whose order divides 8. */
export const TORSION_SUBGROUP = ED25519_TORSION_SUBGROUP.map((hex) => Point.fromHex(hex));

/** Returns a number from 0 to count - 1. */
export function drawBelow(random: TestRandom, count: number): number {
  const [a, b, c] = random.bytes() as unknown as [number, number, number];
  return (a + 256 * b + 65536 * c) % count;
}

export function pick<T>(random: TestRandom, list: readonly T[]): T {
  return list[drawBelow(random, list.length)] as T;
}

function withRandomSign(random: TestRandom, y: bigint): Uint8Array {
  const encoded = numberToBytesLE(y, 32);
  return drawBelow(random, 2) === 1 ? flipBit(encoded, 255) : encoded;
}

/** Returns the encoding of a point of large order, seven times in eight with torsion. */
export function mixedPoint(random: TestRandom): Uint8Array {
  const torsion = pick(random, TORSION_SUBGROUP);
  return (decodePoint(random.point()) as Point).add(torsion).toBytes();
}

/** Returns the encoding of a point of any order. */
export function oddPoint(random: TestRandom): Uint8Array {
  if (drawBelow(random, 8) > 0) return mixedPoint(random);
  return pick(random, TORSION_SUBGROUP).toBytes();
}

/** Returns 32 bytes that may or may not encode a point, with every kind of bad encoding among them. */
export function oddEncoding(random: TestRandom): Uint8Array {
  const small = BigInt(drawBelow(random, 256));
  switch (drawBelow(random, 9)) {
    case 0:
      return random.point();
    case 1:
      return oddPoint(random);
    case 2:
      return flipBit(oddPoint(random), drawBelow(random, 256));
    case 3:
      return flipBit(pick(random, TORSION_SUBGROUP).toBytes(), 255);
    case 4:
      return withRandomSign(random, small);
    case 5:
      return withRandomSign(random, p - 10n + (small % 29n)); // p - 10 … 2^255 - 1
    case 6:
      return withRandomSign(random, p - small);
    case 7:
      return numberToBytesLE(oddInteger(random), 32);
    default:
      return random.bytes();
  }
}

/** Returns a 256-bit integer: near a power of two or a multiple of l, with long runs of equal bits, or random. */
export function oddInteger(random: TestRandom): bigint {
  const small = BigInt(drawBelow(random, 9)) - 4n;
  const wrap = (value: bigint) => ((value % LIMIT) + LIMIT) % LIMIT;
  switch (drawBelow(random, 5)) {
    case 0:
      return wrap(BigInt(drawBelow(random, 16)) * l + small);
    case 1:
      return wrap(2n ** BigInt(drawBelow(random, 257)) + small);
    case 2:
      return wrap(
        2n ** BigInt(drawBelow(random, 257)) - 2n ** BigInt(drawBelow(random, 257)) + small,
      );
    case 3:
      return BigInt(`0x${Buffer.from(random.bytes()).toString('hex')}`);
    default:
      return random.scalar();
  }
}

/** Returns a canonical scalar. */
export function oddScalar(random: TestRandom): bigint {
  return oddInteger(random) % l;
}

/** Returns 32 bytes of a scalar, canonical or not. */
export function oddScalarBytes(random: TestRandom): Uint8Array {
  return drawBelow(random, 2) === 0
    ? numberToBytesLE(oddInteger(random), 32)
    : encodeScalar(oddScalar(random));
}
