import { fromHex } from '@monero-node/codec';
import type { CryptoBackend, PointSum } from '@monero-node/crypto';

/** The base point G, 32 bytes. */
export const G_BYTES = fromHex(`58${'66'.repeat(31)}`);
/** The base of amounts. Source: H in src/ringct/rctTypes.h. */
export const H = fromHex('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94');
/** The second base of Carrot's keys. Source: T in src/crypto/generators.cpp of the next fork. */
export const T_BYTES = fromHex('61b736ce93b62a3d3778ab204da85d3b4cdc07250f5da7e3df2629928134d526');
/** The encoding of the identity. */
export const IDENTITY = fromHex(`01${'00'.repeat(31)}`);
/** The scalar 1. */
export const ONE = Uint8Array.of(1, ...new Uint8Array(31));
/** The scalar l - 1, that is -1. */
export const MINUS_ONE = fromHex(`ecd3f55c1a631258d69cf7a2def9de14${'00'.repeat(15)}10`);
/** The scalar 0. */
export const ZERO = new Uint8Array(32);

/** What adds multiples of points. */
export type PointAdder = Pick<CryptoBackend, 'addMultiples'>;

/** Returns a sum of two points, 32 bytes. Throws RangeError for a point that does not decode or a scalar that is not below l. */
export function sumOf(sum: PointSum, backend: PointAdder): Uint8Array {
  const [point] = backend.addMultiples([sum]);
  if (point === undefined) {
    throw new RangeError('a key of the account is not a point or not a scalar');
  }
  return point;
}
