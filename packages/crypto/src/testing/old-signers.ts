import { hashToPoint } from '../curve/hash-to-point.ts';
import { createH, decodePoint, G, Point } from '../curve/point.ts';
import { encodeScalar, Fn, hashToScalar } from '../curve/scalar.ts';
import type { MlsagProof, RingPoint, RingSignatureProof } from '../types.ts';
import { addTerms } from '../insecure-signer/add-terms.ts';
import { keyImageOf } from '../insecure-signer/clsag-signer.ts';
import { commit } from '../insecure-signer/commitment.ts';
import { mixedPoint } from './odd-inputs.ts';
import type { TestRandom } from './random.ts';

const G_BYTES = G.toBytes();
const decode = (bytes: Uint8Array) => decodePoint(bytes) as Point;

/** Returns s·G + c·P and s·Hp(P) + c·(key image); scalars count as integers below l, whatever torsion the points have. */
function linkedRow(key: Uint8Array, keyImage: Uint8Array, s: bigint, c: bigint): Uint8Array[] {
  return addTerms([
    [
      [s, G_BYTES],
      [c, key],
    ],
    [
      [s, hashToPoint(key).toBytes()],
      [c, keyImage],
    ],
  ]);
}

/** Returns a ring of decoys, most of them with torsion, and one own key, with the signature of a version 1 transaction. */
export function exampleRingSignature(
  random: TestRandom,
  { ringSize, index }: { ringSize: number; index: number },
): RingSignatureProof {
  const secret = random.scalar();
  const keyImage = keyImageOf(secret);
  const message = random.bytes();
  const ring = Array.from({ length: ringSize }, () => mixedPoint(random));
  ring[index] = G.multiplyUnsafe(secret).toBytes();

  const nonce = random.scalar();
  const c = ring.map(() => random.scalar());
  const r = ring.map(() => random.scalar());
  const rows = ring.map((key, i) =>
    i === index
      ? linkedRow(key, keyImage, nonce, 0n)
      : linkedRow(key, keyImage, r[i] as bigint, c[i] as bigint),
  );
  const sum = hashToScalar(message, ...rows.flat());
  c[index] = c.reduce((rest, value, i) => (i === index ? rest : Fn.sub(rest, value)), sum);
  r[index] = Fn.sub(nonce, Fn.mul(c[index] as bigint, secret));
  const signatures = ring.map((_, i) =>
    Uint8Array.of(...encodeScalar(c[i] as bigint), ...encodeScalar(r[i] as bigint)),
  );
  return { message, keyImage, ring, signatures };
}

/** Returns the whole ring of an MLSAG, column by column: decoys with torsion and, at `index`, an own output for each input. */
function exampleColumns(
  random: TestRandom,
  own: readonly RingPoint[],
  { ringSize, index }: { ringSize: number; index: number },
): RingPoint[][] {
  return Array.from({ length: ringSize }, (_, i) =>
    i === index
      ? [...own]
      : own.map(() => ({ key: mixedPoint(random), commitment: mixedPoint(random) })),
  );
}

/** Returns an MLSAG for some inputs over made-up outputs, with a fee and one offset, signed as a wallet did. */
export function exampleMlsag(
  random: TestRandom,
  options: { ringSize: number; index: number; inputs: number; fee: bigint },
): MlsagProof {
  const { ringSize, index, inputs, fee } = options;
  const amount = 1_000_000n;
  const message = random.bytes();
  const secrets = Array.from({ length: inputs }, () => random.scalar());
  const masks = secrets.map(() => random.scalar());
  const offsetMask = random.scalar();
  const own = secrets.map((secret, j) => ({
    key: G.multiplyUnsafe(secret).toBytes(),
    commitment: commit(masks[j] as bigint, amount),
  }));
  const keyImages = secrets.map(keyImageOf);
  const offsets = [commit(offsetMask, Fn.create(BigInt(inputs) * amount - fee))];
  const ring = exampleColumns(random, own, { ringSize, index });
  const lastSecret = masks.reduce((sum, mask) => Fn.add(sum, mask), Fn.neg(offsetMask));
  const offset = decode(offsets[0] as Uint8Array).add(createH().multiplyUnsafe(fee));

  const next = (column: readonly RingPoint[], s: readonly bigint[], c: bigint): bigint => {
    const rows = column.flatMap(({ key }, j) => [
      key,
      ...linkedRow(key, keyImages[j] as Uint8Array, s[j] as bigint, c),
    ]);
    const difference = column
      .reduce((sum, { commitment }) => sum.add(decode(commitment)), Point.ZERO)
      .subtract(offset);
    const differenceBytes = difference.toBytes();
    const last = addTerms([
      [
        [s[inputs] as bigint, G_BYTES],
        [c, differenceBytes],
      ],
    ]);
    return hashToScalar(message, ...rows, differenceBytes, ...last);
  };

  const ss = ring.map(() => Array.from({ length: inputs + 1 }, () => random.scalar()));
  const nonces = ss[index] as bigint[];
  let challenge = next(own, nonces, 0n);
  let cc = challenge; // right if the signer sits last
  for (let step = 1; step < ringSize; step++) {
    const i = (index + step) % ringSize;
    if (i === 0) cc = challenge;
    challenge = next(ring[i] as RingPoint[], ss[i] as bigint[], challenge);
  }
  if (index === 0) cc = challenge;
  ss[index] = [...secrets, lastSecret].map((secret, j) =>
    Fn.sub(nonces[j] as bigint, Fn.mul(challenge, secret)),
  );
  return {
    message,
    ring,
    keyImages,
    offsets,
    fee,
    ss: ss.map((column) => column.map(encodeScalar)),
    cc: encodeScalar(cc),
  };
}
