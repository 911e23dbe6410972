import { runCheck } from '../../checks.ts';
import type { CryptoCheck } from '../../checks.ts';
import type { RingSignatureProof } from '../../types.ts';
import { exampleClsag } from '../example-clsag.ts';
import { replaceAt } from '../mutations.ts';
import { oddScalar, oddScalarBytes, pick, drawBelow } from '../odd-inputs.ts';
import { exampleMlsag, exampleRingSignature } from '../old-signers.ts';
import type { TestRandom } from '../random.ts';
import { type DifferentialCase, type DifferentialKind, isHonest } from './case.ts';
import { mutate, otherwiseWritten } from './mutate.ts';

/** Mostly small: the reference takes 4 ms for a ring member. */
const RING_SIZES = [1, 2, 2, 2, 3, 3, 4, 5, 8, 11, 16];
/** Most signatures in a batch: more than two groups of those that a backend may verify side by side. */
const MAX_BATCH = 18;

/** One case in three signs with keys, nonces and responses around 0, l and powers of two. */
function signerRandom(random: TestRandom): TestRandom {
  if (drawBelow(random, 3) > 0) return random;
  return { ...random, scalar: () => oddScalar(random) };
}

function ask(check: CryptoCheck, items: number): DifferentialCase {
  return { input: check, items, ask: (backend) => runCheck(backend, check) };
}

/** One CLSAG that holds, or (with torsion where that matters) holds by chance only. */
function someClsag(random: TestRandom, ringSize: number) {
  const chance = () => drawBelow(random, 5) === 0;
  return exampleClsag(signerRandom(random), {
    ringSize,
    index: drawBelow(random, ringSize),
    torsionInD: chance(),
    torsionInKeyImage: chance(),
    torsionInOwnKey: chance(),
    torsionInDecoyKey: chance(),
    torsionInDecoyCommitment: chance(),
  });
}

/** A batch over rings of one size, or two: honest signatures and altered copies of them, in any order. */
function someClsags(random: TestRandom, index: number): DifferentialCase {
  const sizes = [pick(random, RING_SIZES), pick(random, RING_SIZES)];
  if (drawBelow(random, 3) > 0) sizes.pop();
  const count = 1 + drawBelow(random, MAX_BATCH);
  const honest = Array.from({ length: Math.ceil(count / 3) }, () =>
    someClsag(random, pick(random, sizes)),
  );
  const proofs = Array.from({ length: count }, (_, i) => {
    const proof = honest[i % honest.length] as (typeof honest)[0];
    return isHonest(index + i) ? proof : mutate(proof, random);
  });
  return ask({ kind: 'clsag', proofs }, count);
}

function someRingSignature(random: TestRandom, ringSize: number): RingSignatureProof {
  const index = drawBelow(random, ringSize);
  return exampleRingSignature(signerRandom(random), { ringSize, index });
}

/** A ring signature one of whose scalars is written as a larger integer, or is another around the group order. */
function withOddScalar(proof: RingSignatureProof, random: TestRandom): RingSignatureProof {
  const at = drawBelow(random, proof.signatures.length);
  const signature = (proof.signatures[at] as Uint8Array).slice();
  const offset = 32 * drawBelow(random, 2);
  const scalar = signature.slice(offset, offset + 32);
  const another = drawBelow(random, 3) === 0;
  signature.set(another ? oddScalarBytes(random) : otherwiseWritten(scalar, random), offset);
  return { ...proof, signatures: replaceAt(proof.signatures, at, signature) };
}

/** Signatures of all kinds, and scalars by means of the cheapest of them. */
export function signatureKinds(): DifferentialKind[] {
  return [
    {
      name: 'scalar',
      share: 60,
      make: (random, index) => {
        const honest = someRingSignature(random, 1 + (index % 2));
        const proof = isHonest(index) ? honest : withOddScalar(honest, random);
        return ask({ kind: 'ring-signature', proofs: [proof] }, 1);
      },
    },
    {
      name: 'ring-signature',
      share: 20,
      make: (random, index) => {
        const honest = someRingSignature(random, pick(random, RING_SIZES));
        const proof = isHonest(index) ? honest : mutate(honest, random);
        return ask({ kind: 'ring-signature', proofs: [proof] }, 1);
      },
    },
    {
      name: 'mlsag',
      share: 12,
      make: (random, index) => {
        const ringSize = Math.max(2, pick(random, RING_SIZES));
        const honest = exampleMlsag(signerRandom(random), {
          ringSize,
          index: drawBelow(random, ringSize),
          inputs: pick(random, [1, 1, 1, 2, 3]),
          fee: pick(random, [0n, 0n, 12345n, 2n ** 64n - 1n]),
        });
        const proof = isHonest(index) ? honest : mutate(honest, random);
        return ask({ kind: 'mlsag', proofs: [proof] }, 1);
      },
    },
    { name: 'clsag', share: 40, make: someClsags },
  ];
}
