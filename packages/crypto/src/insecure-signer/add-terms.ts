import { createBackend } from '../choose-backend.ts';
import { G } from '../curve/point.ts';
import { encodeScalar } from '../curve/scalar.ts';
import type { CryptoBackend } from '../types.ts';

/** A multiple of a point: a scalar below l, and the point's 32 bytes. */
export type Term = readonly [scalar: bigint, point: Uint8Array];

const [NOTHING, ONCE] = [0n, 1n].map(encodeScalar) as [Uint8Array, Uint8Array];
const G_BYTES = G.toBytes();
let backend: CryptoBackend | undefined;

/**
 * Returns the 32 bytes of each sum of one or more terms. The fastest backend adds them, as making proofs on noble's curve takes
 * seconds. A wrong sum of it would make a proof that the other backends refuse. Throws Error where a point does not decode.
 */
export function addTerms(sums: readonly (readonly Term[])[]): Uint8Array[] {
  let parts = addPairs(sums.map((terms) => terms.map(([scalar, P]) => [encodeScalar(scalar), P])));
  while (parts.some((points) => points.length > 1))
    parts = addPairs(parts.map((points) => points.map((P) => [ONCE, P])));
  return parts.map(([sum]) => sum as Uint8Array);
}

/** Returns the sums of the pairs of neighbors in each list. */
function addPairs(lists: readonly (readonly (readonly [Uint8Array, Uint8Array])[])[]) {
  backend ??= createBackend();
  const pairs = lists.map((list) =>
    list.flatMap(([a, A], i) => {
      if (i % 2 > 0) return [];
      const [b, B] = list[i + 1] ?? [NOTHING, G_BYTES];
      return [{ a, A, b, B }];
    }),
  );
  const added = backend.addMultiples(pairs.flat());
  let from = 0;
  return pairs.map(({ length }) => {
    const points = added.slice(from, (from += length));
    if (points.includes(undefined)) throw new Error('a term has no point');
    return points as Uint8Array[];
  });
}
