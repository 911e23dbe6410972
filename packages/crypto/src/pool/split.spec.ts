import { type CryptoCheck, itemsOf as itemsOfObjects } from '../checks.ts';
import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  FcmpStatement,
  MlsagProof,
  RingSignatureProof,
} from '../types.ts';
import { type AnyCheck, packed, unpacked } from './any-check.ts';
import { CheckPacker } from './check-bytes.ts';
import { splitCheck } from './split.ts';

/** Placeholders: splitting depends only on the number of items. */
const items = <T>(count: number) => Array.from({ length: count }, (_, i) => ({ i }) as T);

/** FCMP++ proofs with so many inputs each. */
function memberships(inputs: readonly number[]): CryptoCheck {
  const keys = (count: number) => Array.from({ length: count }, () => new Uint8Array(32));
  const proofs = inputs.map((count, i): FcmpStatement => {
    const [pseudoOuts, keyImages] = [keys(count), keys(count)];
    const bytes = Uint8Array.of(i % 256, i >> 8);
    return { message: bytes, layers: 1, root: bytes, pseudoOuts, keyImages, proof: bytes };
  });
  return { kind: 'fcmp-plus-plus', proofs };
}

const checks: Record<CryptoCheck['kind'], (count: number) => CryptoCheck> = {
  points: (n) => ({ kind: 'points', points: items<Uint8Array>(n) }),
  'key-images': (n) => ({ kind: 'key-images', keyImages: items<Uint8Array>(n) }),
  balance: (n) => ({ kind: 'balance', statements: items<BalanceStatement>(n) }),
  clsag: (n) => ({ kind: 'clsag', proofs: items<ClsagProof>(n) }),
  'bulletproof-plus': (n) => ({ kind: 'bulletproof-plus', proofs: items<BulletproofPlusProof>(n) }),
  'ring-signature': (n) => ({ kind: 'ring-signature', proofs: items<RingSignatureProof>(n) }),
  mlsag: (n) => ({ kind: 'mlsag', proofs: items<MlsagProof>(n) }),
  borromean: (n) => ({ kind: 'borromean', proofs: items<BorromeanProof>(n) }),
  bulletproof: (n) => ({ kind: 'bulletproof', proofs: items<BulletproofProof>(n) }),
  'fcmp-plus-plus': (n) => memberships(Array.from({ length: n }, (_, i) => 1 + (i % 3))),
};

const itemsOf = (check: AnyCheck) => itemsOfObjects(unpacked(check));

describe('splitCheck', () => {
  test.each(Object.entries(checks))('%s: parts hold every item once, in order', (kind, make) => {
    for (const count of [0, 1, 2, 7, 8, 9, 33, 64, 100, 1001]) {
      for (const threads of [1, 2, 3, 8]) {
        const whole = make(count);
        const { parts } = splitCheck(whole, threads);
        expect(parts.every((part) => part.kind === kind)).toBe(true);
        expect(parts.flatMap(itemsOf)).toEqual(itemsOf(whole));
        expect(parts.every((part) => itemsOf(part).length > 0)).toBe(true);
      }
    }
  });

  test('cuts a packed check between its items', () => {
    const points = Array.from({ length: 100 }, (_, i) => new Uint8Array(i).fill(i));
    const whole = packed({ kind: 'points', points }, new CheckPacker());
    const { parts } = splitCheck(whole, 3);
    expect(parts.map((part) => itemsOf(part).length)).toEqual([34, 34, 32]);
    expect(parts.flatMap(itemsOf)).toEqual(points);
  });

  test('spreads signatures over the threads', () => {
    const sizes = (count: number, threads: number) =>
      splitCheck(checks.clsag(count), threads).parts.map((part) => itemsOf(part).length);
    expect(sizes(2, 2)).toEqual([1, 1]);
    expect(sizes(5, 2)).toEqual([3, 2]);
    expect(sizes(100, 2)).toEqual([32, 32, 32, 4]);
  });

  test('keeps range proofs in batches, at most one per thread', () => {
    const sizes = (count: number, threads: number) =>
      splitCheck(checks['bulletproof-plus'](count), threads).parts.map((p) => itemsOf(p).length);
    expect(sizes(8, 4)).toEqual([8]);
    expect(sizes(20, 4)).toEqual([8, 8, 4]);
    expect(sizes(400, 2)).toEqual([200, 200]);
  });

  test('spreads FCMP++ proofs by their inputs, as objects and as bytes', () => {
    const counts = (inputs: readonly number[], threads: number) => {
      const whole = memberships(inputs);
      const ofBytes = splitCheck(packed(whole, new CheckPacker()), threads).parts;
      const { parts } = splitCheck(whole, threads);
      expect(ofBytes.map(itemsOf)).toEqual(parts.map(itemsOf));
      return parts.map((part) => itemsOf(part).length);
    };
    expect(counts([1, 1], 2)).toEqual([1, 1]);
    expect(counts(Array<number>(40).fill(1), 2)).toEqual([20, 20]);
    expect(counts([8, 1, 1, 1, 1, 1, 1, 1, 1], 2)).toEqual([1, 8]);
    expect(counts([128, 128], 1)).toEqual([1, 1]);
    expect(counts([100, 28, 1], 1)).toEqual([2, 1]);
  });

  test('joins answers in order, those of range proofs by AND', () => {
    const { join } = splitCheck(checks.clsag(4), 2);
    expect(join([[true, false], [true]])).toEqual([true, false, true]);
    expect(join([])).toEqual([]);
    const range = splitCheck(checks['bulletproof-plus'](20), 4);
    expect(range.join([[true], [true], [true]])).toEqual([true]);
    expect(range.join([[true], [false], [true]])).toEqual([false]);
    expect(range.join([])).toEqual([true]);
  });
});
