import { hashToPoint } from '../curve/hash-to-point.ts';
import { decodePoint, G, type Point } from '../curve/point.ts';
import { encodeScalar, Fn, INV_EIGHT } from '../curve/scalar.ts';
import { aggregationCoefficients, challengeHash } from '../proofs/clsag-hashes.ts';
import type { ClsagProof, RingPoint } from '../types.ts';
import { addTerms, type Term } from './add-terms.ts';
import { commit } from './commitment.ts';
import { addTorsion } from './mutations.ts';
import type { TestRandom } from './random.ts';

export interface ClsagSecrets {
  /** Position of the spent output in the ring. */
  readonly index: number;
  /** x with ring[index].key = x·G. */
  readonly key: bigint;
  /** z with ring[index].commitment - pseudoOut = z·G. */
  readonly maskDifference: bigint;
}

const G_BYTES = G.toBytes();

/** Returns the key image x·Hp(x·G) of a secret key. */
export function keyImageOf(secretKey: bigint): Uint8Array {
  const [publicKey] = addTerms([[[secretKey, G_BYTES]]]) as [Uint8Array];
  const [keyImage] = addTerms([[[secretKey, hashToPoint(publicKey).toBytes()]]]) as [Uint8Array];
  return keyImage;
}

/** Signs as a wallet does, but neither in constant time nor with good randomness: for tests only. */
export function signClsag(
  statement: Pick<ClsagProof, 'message' | 'ring' | 'pseudoOut'>,
  secrets: ClsagSecrets,
  random: TestRandom,
  variation: Pick<ClsagVariation, 'torsionInD' | 'torsionInKeyImage'> = {},
): ClsagProof {
  const { message, ring, pseudoOut } = statement;
  const hashBytes = ring.map((member) => hashToPoint(member.key).toBytes());
  const ownHash = hashBytes[secrets.index] as Uint8Array;
  const nonce = random.scalar();
  const s = ring.map(() => random.scalar());
  const [startLeft, startRight, plainKeyImage, D8Bytes, plainD] = addTerms([
    [[nonce, G_BYTES]],
    [[nonce, ownHash]],
    [[secrets.key, ownHash]],
    [[secrets.maskDifference, ownHash]],
    [[Fn.mul(secrets.maskDifference, INV_EIGHT), ownHash]],
  ]) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const keyImage = variation.torsionInKeyImage ? addTorsion(plainKeyImage) : plainKeyImage;
  const D = variation.torsionInD ? addTorsion(plainD) : plainD;
  const signed = { message, ring, pseudoOut, keyImage, D };
  const { muP, muC } = aggregationCoefficients(signed);
  const nextChallenge = challengeHash(signed);
  const minusOffset = (decodePoint(pseudoOut) as Point).negate().toBytes();

  let challenge = nextChallenge(startLeft, startRight);
  let c1 = challenge; // right if the ring has one member or the signer sits last
  for (let step = 1; step < ring.length; step++) {
    const i = (secrets.index + step) % ring.length;
    if (i === 0) c1 = challenge;
    const member = ring[i] as RingPoint;
    const [scalar, keyFactor] = [s[i] as bigint, Fn.mul(challenge, muP)];
    const maskFactor = Fn.mul(challenge, muC);
    const left: Term[] = [
      [scalar, G_BYTES],
      [keyFactor, member.key],
      [maskFactor, member.commitment],
      [maskFactor, minusOffset],
    ];
    const right: Term[] = [
      [scalar, hashBytes[i] as Uint8Array],
      [keyFactor, keyImage],
      [maskFactor, D8Bytes],
    ];
    const [L, R] = addTerms([left, right]) as [Uint8Array, Uint8Array];
    challenge = nextChallenge(L, R);
  }
  if (secrets.index === 0) c1 = challenge;
  const secretSum = Fn.add(Fn.mul(muP, secrets.key), Fn.mul(muC, secrets.maskDifference));
  s[secrets.index] = Fn.sub(nonce, Fn.mul(challenge, secretSum));
  return { ...signed, s: s.map(encodeScalar), c1: encodeScalar(c1) };
}

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
    { torsionInD: options.torsionInD, torsionInKeyImage: options.torsionInKeyImage },
  );
}
