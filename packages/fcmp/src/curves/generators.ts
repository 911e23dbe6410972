import { keccak256 } from '@monero-node/keccak';
import { RefusedProof } from '../refused-proof.ts';
import { EdPoint } from './ed25519.ts';
import { unbiasedHashToPoint } from './hash-to-point.ts';
import { type CycleCurve, type CyclePoint, decodePoint, HELIOS, SELENE } from './helios-selene.ts';

const text = new TextEncoder();

/**
 * Returns the point that a text names: hashed by Keccak-256 until the hash is the encoding of a point other than the identity.
 * Source: `rejection_sampling_hash_to_curve` in monero-oxide, monero-oxide/ringct/fcmp++/generators/src/lib.rs.
 */
function hashToCurve(curve: CycleCurve, name: string): CyclePoint {
  for (let hash = keccak256(text.encode(name)); ; hash = keccak256(hash)) {
    try {
      return decodePoint(curve, hash, 'refused');
    } catch (error) {
      if (!(error instanceof RefusedProof)) throw error;
    }
  }
}

/** The generators of one curve. Each is derived when it is first asked for, and kept. */
export class Generators {
  readonly curve: CycleCurve;
  readonly #points = new Map<string, CyclePoint>();
  readonly #G: CyclePoint[] = [];
  readonly #H: CyclePoint[] = [];

  constructor(curve: CycleCurve) {
    this.curve = curve;
  }

  #named(suffix: string): CyclePoint {
    let point = this.#points.get(suffix);
    if (point === undefined) {
      point = hashToCurve(this.curve, `Monero ${this.curve.name} ${suffix}`);
      this.#points.set(suffix, point);
    }
    return point;
  }

  /** Carries values: coefficients of t(X), and the inner product. */
  get g(): CyclePoint {
    return this.#named('G');
  }

  /** Carries blinds. */
  get h(): CyclePoint {
    return this.#named('H');
  }

  /** What the hash of a node of the tree begins with. */
  get hashInit(): CyclePoint {
    return this.#named('Hash Initializer');
  }

  /** Returns G_0 … G_(count-1), on which commitments and hashes carry their values. */
  G(count: number): readonly CyclePoint[] {
    return this.#first(count, 'G', this.#G);
  }

  /** Returns H_0 … H_(count-1). */
  H(count: number): readonly CyclePoint[] {
    return this.#first(count, 'H', this.#H);
  }

  #first(count: number, letter: string, points: CyclePoint[]): readonly CyclePoint[] {
    while (points.length < count) {
      const name = `Monero ${this.curve.name} ${letter} ${points.length}`;
      points.push(hashToCurve(this.curve, name));
    }
    return points.slice(0, count);
  }
}

/** The generators of Helios. */
export const HELIOS_GENERATORS = new Generators(HELIOS);
/** The generators of Selene. */
export const SELENE_GENERATORS = new Generators(SELENE);

const edGenerator = (name: string): EdPoint => unbiasedHashToPoint(keccak256(text.encode(name)));

/** Generators of Ed25519; G is the base point. Source: monero-oxide, monero-oxide/ringct/fcmp++/generators/src/lib.rs. */
export interface EdGenerators {
  readonly G: EdPoint;
  /** Of the second half of a key. */
  readonly T: EdPoint;
  /** Blinds I. */
  readonly U: EdPoint;
  /** Commits to the blind of I. */
  readonly V: EdPoint;
}

let kept: EdGenerators | undefined;

/** Returns the generators of Ed25519, which are derived once. */
export function edGenerators(): EdGenerators {
  kept ??= {
    G: EdPoint.BASE,
    T: edGenerator('Monero Generator T'),
    U: edGenerator('Monero FCMP++ Generator U'),
    V: edGenerator('Monero FCMP++ Generator V'),
  };
  return kept;
}
