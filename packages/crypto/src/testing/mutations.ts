import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { decodePoint, Point } from '../curve/point.ts';
import { Fn } from '../curve/scalar.ts';

/** A point of order 8. */
export const TORSION_POINT = Point.fromHex(
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
);

/** Returns the encoding with one bit flipped. */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
  return copy;
}

/** Returns the scalar as s + l, which is the same modulo l but not canonical. */
export function addGroupOrder(scalar: Uint8Array): Uint8Array {
  return numberToBytesLE(bytesToNumberLE(scalar) + Fn.ORDER, 32);
}

/** Returns the encoding of the point plus a point of order 8. */
export function addTorsion(encoded: Uint8Array): Uint8Array {
  return (decodePoint(encoded) as Point).add(TORSION_POINT).toBytes();
}

/** Returns the list with one element replaced. */
export function replaceAt<T>(list: readonly T[], index: number, value: T): T[] {
  return list.map((element, i) => (i === index ? value : element));
}

/** Returns every byte array inside plain data, with a function that returns the data with that array replaced. */
export function* byteFields<T>(
  data: T,
  name = '',
): Iterable<{ name: string; bytes: Uint8Array; replace: (bytes: Uint8Array) => T }> {
  if (data instanceof Uint8Array) {
    yield { name, bytes: data, replace: (bytes) => bytes as T };
  } else if (Array.isArray(data)) {
    for (const [i, item] of data.entries()) {
      for (const field of byteFields<unknown>(item, `${name} ${i}`)) {
        yield { ...field, replace: (bytes) => replaceAt(data, i, field.replace(bytes)) as T };
      }
    }
  } else if (typeof data === 'object' && data !== null) {
    for (const [key, value] of Object.entries(data)) {
      for (const field of byteFields<unknown>(value, `${name} ${key}`)) {
        yield { ...field, replace: (bytes) => ({ ...data, [key]: field.replace(bytes) }) };
      }
    }
  }
}
