import type { CryptoCheck } from '../checks.ts';
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

/** The layout of the checks of each kind. */
const LAYOUTS: {
  readonly [K in CryptoCheck['kind']]: Layout<Omit<Extract<CryptoCheck, { kind: K }>, 'kind'>>;
} = {
  points: record({ points: KEYS }),
  'key-images': record({ keyImages: KEYS }),
  balance: record({
    statements: listOf(record<BalanceStatement>({ inputs: KEYS, outputs: KEYS, fee: AMOUNT })),
  }),
  clsag: record({
    proofs: listOf(
      record<ClsagProof>({
        ...{ message: BYTES, ring: RING, pseudoOut: BYTES, keyImage: BYTES },
        ...{ s: KEYS, c1: BYTES, D: BYTES },
      }),
    ),
  }),
  'bulletproof-plus': record({
    proofs: listOf(
      record<BulletproofPlusProof>({
        ...RANGE_LISTS,
        ...{ A: BYTES, A1: BYTES, B: BYTES, r1: BYTES, s1: BYTES, d1: BYTES },
      }),
    ),
  }),
  'ring-signature': record({
    proofs: listOf(
      record<RingSignatureProof>({
        ...{ message: BYTES, keyImage: BYTES, ring: KEYS, signatures: KEYS },
      }),
    ),
  }),
  mlsag: record({
    proofs: listOf(
      record<MlsagProof>({
        ...{ message: BYTES, ring: listOf(RING), keyImages: KEYS, offsets: KEYS },
        ...{ fee: AMOUNT, ss: listOf(KEYS), cc: BYTES },
      }),
    ),
  }),
  borromean: record({
    proofs: listOf(
      record<BorromeanProof>({ commitment: BYTES, s0: KEYS, s1: KEYS, ee: BYTES, Ci: KEYS }),
    ),
  }),
  bulletproof: record({
    proofs: listOf(
      record<BulletproofProof>({
        ...RANGE_LISTS,
        ...{ A: BYTES, S: BYTES, T1: BYTES, T2: BYTES, taux: BYTES, mu: BYTES },
        ...{ a: BYTES, b: BYTES, t: BYTES },
      }),
    ),
  }),
};

/**
 * Returns the bytes of a check, for `readCheck`. They are a copy: a 32-byte field may be a view of a message of
 * megabytes, which a thread would otherwise be sent whole.
 */
export function writeCheck({ kind, ...content }: CryptoCheck): ArrayBuffer {
  const writer = new FieldWriter();
  const layout: Layout<object> = LAYOUTS[kind];
  layout.write(writer, content);
  return writer.toBuffer();
}

/** Returns the check whose bytes `writeCheck` returned. */
export function readCheck(kind: CryptoCheck['kind'], bytes: ArrayBuffer): CryptoCheck {
  return { kind, ...LAYOUTS[kind].read(new FieldReader(bytes)) } as CryptoCheck;
}
