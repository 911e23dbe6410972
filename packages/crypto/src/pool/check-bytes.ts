import { checkOf, type CryptoCheck, itemsOf } from '../checks.ts';
import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  MlsagProof,
  RingPoint,
  RingSignatureProof,
} from '../types.ts';
import { AMOUNT, BYTES, FieldReader, FieldWriter, type Layout, listOf, record } from './layout.ts';

const KEYS = listOf(BYTES);
const RING = listOf(record<RingPoint>({ key: BYTES, commitment: BYTES }));
const RANGE_LISTS = { commitments: KEYS, L: KEYS, R: KEYS };

const RANGE_PROOF = record<BulletproofPlusProof>({
  ...RANGE_LISTS,
  A: BYTES,
  A1: BYTES,
  B: BYTES,
  r1: BYTES,
  s1: BYTES,
  d1: BYTES,
});

/** The layout of an item of each kind. */
const LAYOUTS: Readonly<Record<CryptoCheck['kind'], Layout<unknown>>> = {
  points: BYTES,
  'key-images': BYTES,
  balance: record<BalanceStatement>({ inputs: KEYS, outputs: KEYS, fee: AMOUNT }),
  clsag: record<ClsagProof>({
    message: BYTES,
    ring: RING,
    pseudoOut: BYTES,
    keyImage: BYTES,
    s: KEYS,
    c1: BYTES,
    D: BYTES,
  }),
  'bulletproof-plus': RANGE_PROOF,
  'ring-signature': record<RingSignatureProof>({
    message: BYTES,
    keyImage: BYTES,
    ring: KEYS,
    signatures: KEYS,
  }),
  mlsag: record<MlsagProof>({
    message: BYTES,
    ring: listOf(RING),
    keyImages: KEYS,
    offsets: KEYS,
    fee: AMOUNT,
    ss: listOf(KEYS),
    cc: BYTES,
  }),
  borromean: record<BorromeanProof>({ commitment: BYTES, s0: KEYS, s1: KEYS, ee: BYTES, Ci: KEYS }),
  bulletproof: record<BulletproofProof>({
    ...RANGE_LISTS,
    A: BYTES,
    S: BYTES,
    T1: BYTES,
    T2: BYTES,
    taux: BYTES,
    mu: BYTES,
    a: BYTES,
    b: BYTES,
    t: BYTES,
  }),
};

/**
 * A check whose items are bytes, one after another: for a caller that has many of them waiting. The objects of a signature
 * and its ring take a hundred times as many, and the garbage collector moves each.
 */
export interface PackedCheck {
  readonly kind: CryptoCheck['kind'];
  readonly bytes: Uint8Array;
  /** The position in `bytes` after each item. */
  readonly ends: readonly number[];
}

/** Packs checks one after another. */
export class CheckPacker {
  readonly #writer = new FieldWriter();

  /** Returns a copy of the check as bytes, over a buffer of their own. */
  pack(check: CryptoCheck): PackedCheck & { readonly bytes: Uint8Array<ArrayBuffer> } {
    const writer = this.#writer;
    writer.clear();
    const layout = LAYOUTS[check.kind];
    const ends = itemsOf(check).map((item) => {
      layout.write(writer, item);
      return writer.size;
    });
    return { kind: check.kind, bytes: writer.toBytes(), ends };
  }
}

/** Returns the check with the items in these bytes, which were packed one after another. Its fields are views of them. */
export function unpackItems(kind: CryptoCheck['kind'], bytes: Uint8Array): CryptoCheck {
  const reader = new FieldReader(bytes);
  const layout = LAYOUTS[kind];
  const items: unknown[] = [];
  while (!reader.isAtEnd) items.push(layout.read(reader));
  return checkOf(kind, items);
}
