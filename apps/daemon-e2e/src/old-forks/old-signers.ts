import { mulAddUnsafe } from '@noble/curves/abstract/curve.js';
import {
  createH,
  decodePoint,
  encodeScalar,
  Fn,
  G,
  hashToPoint,
  hashToScalar,
  keyImageOf,
  Point,
  type TestRandom,
} from '@monero-node/crypto/testing';
import type { Mlsag } from '@monero-node/codec';
import type { RingPoint } from '@monero-node/crypto';

function decode(bytes: Uint8Array): Point {
  const point = decodePoint(bytes);
  if (point === undefined) throw new Error('a ring holds something that is no point');
  return point;
}

/** Returns s·G + c·P and, with a key image, s·Hp(P) + c·I; c = 0 for the signer's own row. */
function row(key: Uint8Array, s: bigint, c: bigint, keyImage?: Point): Uint8Array[] {
  const left = mulAddUnsafe(Point, [G, decode(key)], [s, c]);
  if (keyImage === undefined) return [left.toBytes()];
  const right = mulAddUnsafe(Point, [hashToPoint(key), keyImage], [s, c]);
  return [left.toBytes(), right.toBytes()];
}

/** Signs an input of version 1. Source: generate_ring_signature in src/crypto/crypto.cpp. */
export function signRing(
  message: Uint8Array,
  ring: readonly Uint8Array[],
  own: { index: number; secret: bigint },
  random: TestRandom,
): Uint8Array[] {
  const keyImage = decode(keyImageOf(own.secret));
  const nonce = random.scalar();
  const c = ring.map((_, i) => (i === own.index ? 0n : random.scalar()));
  const r = ring.map((_, i) => (i === own.index ? nonce : random.scalar()));
  const rows = ring.map((key, i) => row(key, r[i] as bigint, c[i] as bigint, keyImage));
  const sum = hashToScalar(message, ...rows.flat());
  c[own.index] = c.reduce((rest, value) => Fn.sub(rest, value), sum);
  r[own.index] = Fn.sub(nonce, Fn.mul(c[own.index] as bigint, own.secret));
  return ring.map((_, i) =>
    Uint8Array.of(...encodeScalar(c[i] as bigint), ...encodeScalar(r[i] as bigint)),
  );
}

export interface MlsagPlan {
  message: Uint8Array;
  /** The member of each input, for every position in the rings. */
  columns: readonly (readonly RingPoint[])[];
  /** Points that are subtracted from the commitments of a column. */
  offsets: readonly Uint8Array[];
  fee: bigint;
  /** Position of the spent outputs. */
  index: number;
  secrets: readonly bigint[];
  /** Difference of the masks at that position. */
  maskDifference: bigint;
}

/** Creates a signature of RingCT types 1 to 4. Source: MLSAG_Gen in src/ringct/rctSigs.cpp. */
export function signMlsag(plan: MlsagPlan, random: TestRandom): Mlsag {
  const { message, columns, index, secrets } = plan;
  const keyImages = secrets.map((secret) => decode(keyImageOf(secret)));
  const offset = plan.offsets
    .map(decode)
    .reduce((sum, point) => sum.add(point), createH().multiplyUnsafe(plan.fee));
  const differences = columns.map((column) =>
    column
      .reduce((sum, { commitment }) => sum.add(decode(commitment)), Point.ZERO)
      .subtract(offset)
      .toBytes(),
  );
  const next = (i: number, s: readonly bigint[], c: bigint): bigint => {
    const last = differences[i] as Uint8Array;
    const rows = (columns[i] ?? []).flatMap(({ key }, j) => [
      key,
      ...row(key, s[j] as bigint, c, keyImages[j]),
    ]);
    return hashToScalar(message, ...rows, last, ...row(last, s[secrets.length] as bigint, c));
  };
  const ss = columns.map(() => Array.from({ length: secrets.length + 1 }, () => random.scalar()));
  const nonces = ss[index] as bigint[];
  let challenge = next(index, nonces, 0n);
  let cc = challenge;
  for (let step = 1; step < columns.length; step++) {
    const i = (index + step) % columns.length;
    if (i === 0) cc = challenge;
    challenge = next(i, ss[i] as bigint[], challenge);
  }
  if (index === 0) cc = challenge;
  ss[index] = [...secrets, plan.maskDifference].map((secret, j) =>
    Fn.sub(nonces[j] as bigint, Fn.mul(challenge, secret)),
  );
  return { ss: ss.map((list) => list.map(encodeScalar)), cc: encodeScalar(cc) };
}
