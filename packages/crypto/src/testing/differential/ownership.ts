import { bytesToHex } from '@noble/hashes/utils.js';
import { viewTag as viewTagOf } from '../../curve/one-time-key.ts';
import { encodeScalar } from '../../curve/scalar.ts';
import { OutputBatch } from '../../output-batch.ts';
import { keyDerivation } from '../../reference/ownership.ts';
import type { OutputCandidate, OutputMatch, PointSum } from '../../types.ts';
import { oddEncoding, oddPoint, oddScalar, oddScalarBytes, drawBelow } from '../odd-inputs.ts';
import type { TestRandom } from '../random.ts';
import { type DifferentialKind, isHonest } from './case.ts';

/** The encoded neutral element. */
const IDENTITY = Uint8Array.of(1, ...new Uint8Array(31));

function toText(results: readonly (Uint8Array | undefined)[]): string {
  return results.map((bytes) => (bytes === undefined ? '-' : bytesToHex(bytes))).join(' ');
}

/** Up to 40 items, so that groups of eight and rounds of three groups are filled up in every way. */
function listOf<T>(random: TestRandom, make: (i: number) => T): T[] {
  return Array.from({ length: 1 + drawBelow(random, 40) }, (_, i) => make(i));
}

function someCandidate(random: TestRandom, honest: boolean): OutputCandidate {
  const derivation = random.bytes();
  const index = drawBelow(random, 2) === 0 ? drawBelow(random, 20) : drawBelow(random, 2 ** 24);
  const key = honest || drawBelow(random, 3) > 0 ? oddPoint(random) : oddEncoding(random);
  if (drawBelow(random, 3) === 0) return { derivation, index, key };
  const wrong = drawBelow(random, 4) === 0 ? 1 : 0;
  return { derivation, index, key, viewTag: (viewTagOf(derivation, index) + wrong) % 256 };
}

function somePoint(random: TestRandom, honest: boolean): Uint8Array {
  return honest || drawBelow(random, 4) > 0 ? oddPoint(random) : oddEncoding(random);
}

function someSum(random: TestRandom, honest: boolean): PointSum {
  const scalar = () => (honest ? encodeScalar(oddScalar(random)) : oddScalarBytes(random));
  const point = () => somePoint(random, honest);
  return { a: scalar(), A: point(), b: scalar(), B: point() };
}

/** Returns a view tag that fits, any other, or none. Where there is no derivation, the identity takes its place. */
function someViewTag(random: TestRandom, derive: () => Uint8Array | undefined, index: number) {
  const kind = drawBelow(random, 4);
  if (kind === 0) return undefined;
  return kind === 1 ? drawBelow(random, 256) : viewTagOf(derive() ?? IDENTITY, index);
}

/** Returns a batch of candidates, each for one of up to 8 public keys; their derivations are not used. */
function someBatch(
  random: TestRandom,
  { secret, honest }: { secret: Uint8Array; honest: boolean },
) {
  const publicKeys = Array.from({ length: 1 + drawBelow(random, 8) }, () =>
    somePoint(random, honest),
  );
  const outputs = listOf(random, () => {
    const publicKey = drawBelow(random, publicKeys.length);
    const candidate = someCandidate(random, honest);
    const derive = () => keyDerivation(secret, publicKeys[publicKey] as Uint8Array);
    const viewTag = someViewTag(random, derive, candidate.index);
    return { ...candidate, derivation: undefined, publicKey, viewTag };
  });
  const batch = new OutputBatch();
  for (const key of publicKeys) batch.addPublicKey(key);
  for (const output of outputs) batch.add(output);
  return { batch, input: { publicKeys, outputs } };
}

function matchesToText(matches: readonly OutputMatch[]): string {
  return matches
    .map(({ output, derivation, spendKey }) => `${output}:${toText([derivation, spendKey])}`)
    .join(' ');
}

/** Derivations, spend keys and sums of two multiples, in batches. */
export function ownershipKinds(): DifferentialKind[] {
  return [
    {
      name: 'derivation',
      share: 20,
      make: (random, index) => {
        const secret = encodeScalar(oddScalar(random));
        const keys = listOf(random, () => somePoint(random, isHonest(index)));
        return {
          input: { secret, keys },
          items: keys.length,
          ask: (backend) => toText(backend.keyDerivations(secret, keys)),
        };
      },
    },
    {
      name: 'spend-key',
      share: 20,
      make: (random, index) => {
        const candidates = listOf(random, () => someCandidate(random, isHonest(index)));
        return {
          input: candidates,
          items: candidates.length,
          ask: (backend) => toText(backend.spendKeys(candidates)),
        };
      },
    },
    {
      name: 'output-batch',
      share: 20,
      make: (random, index) => {
        const secret = encodeScalar(oddScalar(random));
        const { batch, input } = someBatch(random, { secret, honest: isHonest(index) });
        return {
          input: { secret, ...input },
          items: batch.size,
          ask: (backend) => matchesToText(backend.findSpendKeys(secret, batch)),
        };
      },
    },
    {
      name: 'point-sum',
      share: 20,
      make: (random, index) => {
        const sums = listOf(random, () => someSum(random, isHonest(index)));
        return {
          input: sums,
          items: sums.length,
          ask: (backend) => toText(backend.addMultiples(sums)),
        };
      },
    },
  ];
}
