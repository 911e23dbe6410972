import { mod } from '@noble/curves/abstract/modular.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import type { FcmpBackend } from './backend/backend.ts';
import { randomWeight } from './bulletproof/equation.ts';
import type { EdPoint } from './curves/ed25519.ts';
import { decodeElement, l, reduceWide } from './curves/fields.ts';
import { ELEMENT_BYTES } from '@monero-node/codec/fcmp-proof-size';
import { edGenerators } from './curves/generators.ts';

// SA+L: whoever spends knows the key O~ = x·G + y'·T, and the key image is x·I. Source: monero-oxide,
// monero-oxide/ringct/fcmp++/src/sal/mod.rs.

/** What is public of an input, as points of Ed25519, and as the 32 bytes of each, which are hashed. */
export interface PublicInput {
  /** O~, the key re-randomized. */
  readonly O: EdPoint;
  /** I~, the generator of its key image re-randomized. */
  readonly I: EdPoint;
  /** R, which commits to the blind of I~. */
  readonly R: EdPoint;
  /** C~, the pseudo-out. */
  readonly C: EdPoint;
  readonly keyImage: EdPoint;
  readonly bytes: Readonly<Record<'O' | 'I' | 'R' | 'C' | 'keyImage', Uint8Array>>;
}

const POINTS = 6;
const SCALARS = 6;

/** A proof and its challenge; points may be the identity, but have no torsion. */
export interface SpendAuthorization {
  readonly points: readonly EdPoint[];
  /** s_α, s_β, s_δ, s_y, s_z, s_p. */
  readonly scalars: readonly bigint[];
  readonly e: bigint;
}

/** Returns the 12 elements of a proof, each 32 bytes. */
function elementsOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: POINTS + SCALARS }, (_, i) =>
    bytes.subarray(i * ELEMENT_BYTES, (i + 1) * ELEMENT_BYTES),
  );
}

/**
 * Reads P, A, B, R_O, R_P, R_L and six scalars, 32 bytes each, and makes the challenge from the message, the input and the points. Throws
 * `RefusedProof` for a malformed element.
 */
export function readSpendAuthorization(
  message: Uint8Array,
  { O, I, C, R, keyImage }: PublicInput['bytes'],
  bytes: Uint8Array,
  backend: FcmpBackend,
): SpendAuthorization {
  const elements = elementsOf(bytes);
  const points = elements.slice(0, POINTS);
  // Scalars first: they cost nothing to check.
  const scalars = elements.slice(POINTS).map((scalar) => decodeElement(scalar, l));
  const hash = blake2b(concatBytes(message, O, I, C, R, keyImage, ...points), { dkLen: 64 });
  return {
    points: points.map((point) => backend.decodeEdPoint(point)),
    scalars,
    e: reduceWide(hash, l),
  };
}

/** The equations of any number of inputs as one sum that must be the identity. */
export class EdEquation {
  readonly #backend: FcmpBackend;
  readonly #points: EdPoint[] = [];
  readonly #scalars: bigint[] = [];
  readonly #fixed = { G: 0n, T: 0n, U: 0n, V: 0n };

  constructor(backend: FcmpBackend) {
    this.#backend = backend;
  }

  #add(scalar: bigint, point: EdPoint): void {
    this.#scalars.push(mod(scalar, l));
    this.#points.push(point);
  }

  /**
   * Adds the four equations of an input, each with a random weight:
   *
   *   e²·P + e·A + B = e·s_α·G + e·s_β·V + s_α·s_β·U + s_δ·T
   *   R_O + e·O~ = s_α·G + s_y·T
   *   R_P + e·(P - O~ - R) = s_z·U + s_p·T
   *   R_L + e·keyImage = s_α·I~ - s_z·U
   */
  addSpendAuthorization(input: PublicInput, { points, scalars, e }: SpendAuthorization): void {
    const [P, A, B, RO, RP, RL] = points as [EdPoint, EdPoint, EdPoint, EdPoint, EdPoint, EdPoint];
    const [alpha, beta, delta, y, z, sp] = scalars as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    const [w1, w2, w3, w4] = [0, 1, 2, 3].map(() => randomWeight(l)) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    this.#add(w1 * e * e + w3 * e, P);
    this.#add(w1 * e, A);
    this.#add(w1, B);
    this.#add(w2, RO);
    this.#add(w3, RP);
    this.#add(w4, RL);
    this.#add((w2 - w3) * e, input.O);
    this.#add(-w3 * e, input.R);
    this.#add(-w4 * alpha, input.I);
    this.#add(w4 * e, input.keyImage);
    this.#fixed.G -= w1 * e * alpha + w2 * alpha;
    this.#fixed.V -= w1 * e * beta;
    this.#fixed.U -= w1 * alpha * beta + w3 * z - w4 * z;
    this.#fixed.T -= w1 * delta + w2 * y + w3 * sp;
  }

  /** Whether the sum is the identity. */
  holds(): boolean {
    const { G, T, U, V } = edGenerators();
    const fixed = [this.#fixed.G, this.#fixed.T, this.#fixed.U, this.#fixed.V];
    const scalars = [...this.#scalars, ...fixed.map((scalar) => mod(scalar, l))];
    return this.#backend.edSum([...this.#points, G, T, U, V], scalars).is0();
  }
}
