import { checkOf, type CryptoCheck, itemsOf } from '../checks.ts';
import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  FcmpStatement,
  MlsagProof,
  RingSignatureProof,
} from '../types.ts';
import { CLSAG, type ClsagToPack } from './clsag-bytes.ts';
import {
  AMOUNT,
  BYTE_STRING,
  FieldReader,
  FieldWriter,
  KEYS,
  type Layout,
  listOf,
  NUMBER,
  record,
  RING,
} from './layout.ts';

const RANGE_LISTS = { commitments: KEYS, L: KEYS, R: KEYS };

const RANGE_PROOF = record<BulletproofPlusProof>({
  ...RANGE_LISTS,
  A: BYTE_STRING,
  A1: BYTE_STRING,
  B: BYTE_STRING,
  r1: BYTE_STRING,
  s1: BYTE_STRING,
  d1: BYTE_STRING,
});

/** The layout of an item of each kind. */
const LAYOUTS: Readonly<Record<CryptoCheck['kind'], Layout<unknown>>> = {
  points: BYTE_STRING,
  'key-images': BYTE_STRING,
  balance: record<BalanceStatement>({ inputs: KEYS, outputs: KEYS, fee: AMOUNT }),
  clsag: CLSAG,
  'bulletproof-plus': RANGE_PROOF,
  'ring-signature': record<RingSignatureProof>({
    message: BYTE_STRING,
    keyImage: BYTE_STRING,
    ring: KEYS,
    signatures: KEYS,
  }),
  mlsag: record<MlsagProof>({
    message: BYTE_STRING,
    ring: listOf(RING),
    keyImages: KEYS,
    offsets: KEYS,
    fee: AMOUNT,
    ss: listOf(KEYS),
    cc: BYTE_STRING,
  }),
  borromean: record<BorromeanProof>({
    commitment: BYTE_STRING,
    s0: KEYS,
    s1: KEYS,
    ee: BYTE_STRING,
    Ci: KEYS,
  }),
  bulletproof: record<BulletproofProof>({
    ...RANGE_LISTS,
    A: BYTE_STRING,
    S: BYTE_STRING,
    T1: BYTE_STRING,
    T2: BYTE_STRING,
    taux: BYTE_STRING,
    mu: BYTE_STRING,
    a: BYTE_STRING,
    b: BYTE_STRING,
    t: BYTE_STRING,
  }),
  'fcmp-plus-plus': record<FcmpStatement>({
    message: BYTE_STRING,
    layers: NUMBER,
    root: BYTE_STRING,
    pseudoOuts: KEYS,
    keyImages: KEYS,
    proof: BYTE_STRING,
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

/** A check to be packed: a {@link CryptoCheck}, or one of signatures whose rings are bytes already. */
export type PackableCheck =
  | Exclude<CryptoCheck, { kind: 'clsag' }>
  | { readonly kind: 'clsag'; readonly proofs: readonly ClsagToPack[] };

/** Packs checks one after another. */
export class CheckPacker {
  readonly #writer = new FieldWriter();

  /** Returns the check as bytes: a view of a buffer that others share, as most checks are small and live as long as those beside them. */
  pack(check: PackableCheck): PackedCheck {
    const ends = this.#write(check);
    return { kind: check.kind, bytes: this.#writer.endRun(), ends };
  }

  /** Returns the items of a check as bytes over a buffer of their own, which can be handed over. */
  copyItems(check: PackableCheck): Uint8Array<ArrayBuffer> {
    this.#write(check);
    return this.#writer.moveRun();
  }

  /** Writes the items as one run; returns the position after each. */
  #write(check: PackableCheck): number[] {
    const writer = this.#writer;
    writer.dropRun();
    const layout = LAYOUTS[check.kind];
    return itemsOf(check).map((item) => {
      layout.write(writer, item);
      return writer.size;
    });
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
