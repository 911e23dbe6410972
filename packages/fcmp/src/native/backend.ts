import { BackendUnavailable, type CycleTerms, type FcmpBackend } from '../backend/backend.ts';
import { AddonError } from '@monero-node/base/addons';
import type { Weighing, WeighedConstraints } from '../backend/weights.ts';
import type { ConstraintSink } from '../circuit/circuit.ts';
import type { ChallengePoints, ClaimLine } from '../circuit/discrete-log.ts';
import { type Affine, EdPoint } from '../curves/ed25519.ts';
import type { Generators } from '../curves/generators.ts';
import {
  type CycleCurve,
  type CyclePoint,
  decodePoint,
  type ShortWeierstrass,
} from '../curves/helios-selene.ts';
import { RefusedProof } from '../refused-proof.ts';
import { CURVE_NUMBERS, type FcmpAddon, fieldNumber, loadFcmpAddon } from './addon.ts';
import { nativeClaimLine } from './claim-line.ts';
import { ConstraintWriter } from './constraint-writer.ts';
import { Words } from './words.ts';

/** Elements of a point. */
const COORDINATES = 2;

class AddonBackend implements FcmpBackend {
  readonly name = 'native';
  readonly #addon: FcmpAddon;
  readonly #out = new Words(COORDINATES);
  readonly #root = new Words(1);

  constructor(addon: FcmpAddon) {
    this.#addon = addon;
  }

  decodePoint(curve: CycleCurve, bytes: Uint8Array): CyclePoint {
    const { name, Point } = curve;
    // Whether the identity is taken is decided in one place for all backends.
    if (bytes.every((byte) => byte === 0)) return decodePoint(curve, bytes);
    if (!this.#addon.decodeCyclePoint(CURVE_NUMBERS[name], bytes, this.#out.bytes)) {
      throw new RefusedProof(`no point of ${name}`);
    }
    return Point.fromAffine(this.#out.point());
  }

  decodeEdPoint(bytes: Uint8Array): EdPoint {
    if (!this.#addon.decodeEdPoint(bytes, this.#out.bytes)) {
      throw new RefusedProof('no point of the prime-order subgroup of Ed25519');
    }
    return EdPoint.fromAffine(this.#out.point());
  }

  sum({ curve }: Generators, { points, scalars, g, h, G, H }: CycleTerms): CyclePoint {
    const packed = new Words(COORDINATES * points.length);
    const factors = new Words(points.length);
    for (const [i, point] of points.entries()) {
      // The identity has no coordinates. Zero times a point that is none, in its place, is nothing either.
      if (point.is0()) continue;
      packed.pushPoint(point.toAffine());
      factors.push(scalars[i] as bigint);
    }
    const fixed = new Words(2 + G.length + H.length);
    fixed.push(g);
    fixed.push(h);
    fixed.pushAll(G);
    fixed.pushAll(H);
    const isPoint = this.#addon.cycleSum(
      CURVE_NUMBERS[curve.name],
      packed.bytes,
      factors.bytes,
      fixed.bytes,
      this.#out.bytes,
    );
    return isPoint ? curve.Point.fromAffine(this.#out.point()) : curve.Point.ZERO;
  }

  weigh(
    curve: CycleCurve,
    weighing: Weighing,
    constrain: (sink: ConstraintSink) => void,
  ): WeighedConstraints {
    const writer = new ConstraintWriter(this.#addon, curve, weighing);
    constrain(writer.sink);
    return writer.finish();
  }

  claimLine(
    points: ChallengePoints,
    curve: ShortWeierstrass,
    bits: number,
    multiples: readonly (readonly Affine[])[],
  ): ClaimLine {
    return nativeClaimLine(this.#addon, points, curve, bits, multiples);
  }

  squareRoot(value: bigint, prime: bigint): bigint | undefined {
    const square = new Words(1);
    square.push(value);
    const isSquare = this.#addon.squareRoot(fieldNumber(prime), square.bytes, this.#root.bytes);
    return isSquare ? this.#root.at(0) : undefined;
  }

  edSum(points: readonly EdPoint[], scalars: readonly bigint[]): EdPoint {
    const packed = new Words(COORDINATES * points.length);
    const factors = new Words(points.length);
    for (const point of points) packed.pushPoint(point.toAffine());
    factors.pushAll(scalars);
    this.#addon.edSum(packed.bytes, factors.bytes, this.#out.bytes);
    return EdPoint.fromAffine(this.#out.point());
  }
}

/** Returns the backend in C++. Throws BackendUnavailable when there is no addon for this machine or it does not load. */
export function createNativeBackend(load: () => FcmpAddon = loadFcmpAddon): FcmpBackend {
  try {
    return new AddonBackend(load());
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    throw new BackendUnavailable(error.message, { cause: error });
  }
}
