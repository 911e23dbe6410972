import { G } from '../curve/point.ts';
import { Fn } from '../curve/scalar.ts';
import { addTerms } from '../insecure-signer/add-terms.ts';
import { signClsag } from '../insecure-signer/clsag-signer.ts';
import { commit } from '../insecure-signer/commitment.ts';
import type { ClsagProof, RingPoint } from '../types.ts';
import { addTorsion } from './mutations.ts';
import type { TestRandom } from './random.ts';

const G_BYTES = G.toBytes();

/** The ways in which an example differs from an ordinary honest signature. */
export interface ClsagVariation {
  /** Sign with another key or amount than the ring member's: the signature does not hold. */
  readonly wrong?: 'key' | 'amount';
  /** The secret key; 0 makes the key image the identity. */
  readonly key?: bigint;
  /** The difference of the masks; 0 makes D the identity. */
  readonly maskDifference?: bigint;
  readonly message?: Uint8Array;
  readonly torsionInD?: boolean | undefined;
  /** Publish a key image with torsion; like torsion in the spent key, it vanishes if c·muP is a multiple of 8. */
  readonly torsionInKeyImage?: boolean | undefined;
  /** Spend a key with torsion. The signature holds if c·mu (as an integer below l) happens to be a multiple of 8. */
  readonly torsionInOwnKey?: boolean;
  readonly torsionInDecoyKey?: boolean;
  readonly torsionInDecoyCommitment?: boolean;
}

function exampleRing(
  random: TestRandom,
  own: RingPoint,
  options: ClsagVariation & { ringSize: number; index: number },
): RingPoint[] {
  const decoy = (torsion: boolean | undefined) => {
    const point = random.point();
    return torsion ? addTorsion(point) : point;
  };
  return Array.from({ length: options.ringSize }, (_, i) =>
    i === options.index
      ? own
      : {
          key: decoy(options.torsionInDecoyKey),
          commitment: decoy(options.torsionInDecoyCommitment),
        },
  );
}

/** Returns a ring of made-up outputs, one of them spent, with its signature. */
export function exampleClsag(
  random: TestRandom,
  options: ClsagVariation & { ringSize: number; index: number },
): ClsagProof {
  const amount = 1_000_000_000_000n;
  const key = options.key ?? random.scalar();
  const mask = random.scalar();
  const pseudoMask = Fn.sub(mask, options.maskDifference ?? random.scalar());
  const [ownKey] = addTerms([[[key, G_BYTES]]]) as [Uint8Array];
  const own = {
    key: options.torsionInOwnKey ? addTorsion(ownKey) : ownKey,
    commitment: commit(mask, amount),
  };
  const spent = options.wrong === 'amount' ? amount + 1n : amount;
  return signClsag(
    {
      message: options.message ?? random.bytes(),
      ring: exampleRing(random, own, options),
      pseudoOut: commit(pseudoMask, spent),
    },
    {
      index: options.index,
      key: options.wrong === 'key' ? random.scalar() : key,
      maskDifference: Fn.sub(mask, pseudoMask),
    },
    random,
    {
      ...(options.torsionInD === true && { D: addTorsion }),
      ...(options.torsionInKeyImage === true && { keyImage: addTorsion }),
    },
  );
}
