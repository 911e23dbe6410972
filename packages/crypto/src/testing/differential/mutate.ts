import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { decodePoint } from '../../curve/point.ts';
import { Fn } from '../../curve/scalar.ts';
import { addTorsion, byteFields, flipBit, replaceAt } from '../mutations.ts';
import { oddEncoding, oddScalarBytes, pick, drawBelow } from '../odd-inputs.ts';
import type { TestRandom } from '../random.ts';

const LIMIT = 2n ** 256n;

/** Returns other bytes for the same integer modulo l: some multiples of l more or less, within 32 bytes. */
export function otherwiseWritten(scalar: Uint8Array, random: TestRandom): Uint8Array {
  const value = bytesToNumberLE(scalar);
  const least = value % Fn.ORDER;
  const ways = Number((LIMIT - 1n - least) / Fn.ORDER) + 1;
  const other = (Number(value / Fn.ORDER) + 1 + drawBelow(random, ways - 1)) % ways;
  return numberToBytesLE(least + BigInt(other) * Fn.ORDER, 32);
}

/** Changes 32 bytes into others that may or may not make sense in the same place. */
function changeElement(bytes: Uint8Array, random: TestRandom): Uint8Array {
  switch (drawBelow(random, 7)) {
    case 0:
      return oddEncoding(random);
    case 1:
      return oddScalarBytes(random);
    case 2:
      return flipBit(bytes, drawBelow(random, 256));
    case 3:
      return flipBit(bytes, 255);
    case 4:
      return decodePoint(bytes) === undefined ? oddEncoding(random) : addTorsion(bytes);
    case 5:
      return otherwiseWritten(bytes, random);
    default:
      return random.bytes();
  }
}

/** Changes one of several elements in a row; now and then the length instead. */
function changeBytes(bytes: Uint8Array, random: TestRandom): Uint8Array {
  if (drawBelow(random, 16) === 0) return bytes.slice(0, drawBelow(random, bytes.length));
  if (drawBelow(random, 16) === 0) return Uint8Array.of(...bytes, 0);
  const changed = bytes.slice();
  const at = 32 * drawBelow(random, bytes.length / 32);
  changed.set(changeElement(bytes.subarray(at, at + 32), random), at);
  return changed;
}

function changeList(list: readonly unknown[], random: TestRandom): unknown[] {
  const at = drawBelow(random, Math.max(1, list.length));
  switch (drawBelow(random, 5)) {
    case 0:
      return list.slice(1);
    case 1:
      return [...list, ...list.slice(at, at + 1)];
    case 2:
      return [...list].reverse();
    case 3:
      return replaceAt(list, at, list[drawBelow(random, Math.max(1, list.length))]);
    default:
      return list.slice(0, at);
  }
}

function changeAmount(amount: bigint, random: TestRandom): bigint {
  return pick(random, [amount + 1n, amount - 1n, -amount, amount + 2n ** 64n, 2n ** 64n - 1n]);
}

/** Returns the plain data of a proof with one change: mostly in some bytes, now and then in a list or an amount. */
export function mutate<T extends object>(proof: T, random: TestRandom): T {
  if (drawBelow(random, 10) === 0) {
    const fields = Object.entries(proof).filter(([, value]) => !(value instanceof Uint8Array));
    const [name, value] = pick(random, fields) as [string, unknown[] | bigint];
    const changed = Array.isArray(value) ? changeList(value, random) : changeAmount(value, random);
    return { ...proof, [name]: changed };
  }
  const { bytes, replace } = pick(random, [...byteFields(proof)]);
  return replace(changeBytes(bytes, random));
}
