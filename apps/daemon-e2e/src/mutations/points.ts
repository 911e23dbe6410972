import { decodePoint, Point } from '@monero-node/crypto/testing';
import { unhex } from '../chain/bytes.ts';

/** y = 2, which no point of the curve has. */
export const NOT_A_POINT = Buffer.concat([Buffer.from([2]), Buffer.alloc(31)]);
/** The neutral element. */
export const IDENTITY = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);
/** Another encoding of the neutral element: y = p + 1. */
export const LONG_IDENTITY = Buffer.concat([
  Buffer.from([0xee]),
  Buffer.alloc(30, 0xff),
  Buffer.from([0x7f]),
]);
/** A point of order 8. */
export const ORDER_8 = unhex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const H = unhex('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94');

/** Returns the sum of two encoded points. Throws Error when one does not decode. */
function addPoints(a: Uint8Array, b: Uint8Array): Buffer {
  const [left, right] = [decodePoint(a), decodePoint(b)];
  if (left === undefined || right === undefined) throw new Error('not a point');
  return Buffer.from(left.add(right).toBytes());
}

/** Returns the point plus one of order 8, which is outside the prime-order subgroup. */
export const withTorsion = (point: Uint8Array): Buffer => addPoints(point, ORDER_8);

/** Returns a commitment to one atomic unit more. */
export const inflated = (commitment: Uint8Array): Buffer => addPoints(commitment, H);

/** Returns twice the point, which differs from any point except the neutral element. */
export const doubled = (point: Uint8Array): Buffer => addPoints(point, point);

/** Checks the constants above. Throws Error when one is wrong. */
export function checkPoints(): void {
  const order8 = decodePoint(ORDER_8);
  if (decodePoint(NOT_A_POINT) !== undefined || order8 === undefined)
    throw new Error('bad constant');
  if (order8.multiplyUnsafe(4n).equals(Point.ZERO)) throw new Error('not of order 8');
  if (!order8.multiplyUnsafe(8n).equals(Point.ZERO)) throw new Error('not of order 8');
}
