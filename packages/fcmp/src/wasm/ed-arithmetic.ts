import { mod } from '@noble/curves/abstract/modular.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { type EdArithmetic, EdPoint } from '../curves/ed25519.ts';
import { l, p } from '../curves/fields.ts';
import { RefusedProof } from '../refused-proof.ts';
import type { FcmpModule } from './module.ts';
import { wasmPower, wasmSquareRoot } from './powers.ts';

/** x, y, 2d and the scalar. */
const MULTIPLE_ELEMENTS = 4;
/** Terms of a sum that take at least as much memory. */
const MULTIPLE_TERMS = 2;
const SIGN_BIT = 1n << 255n;
const { d } = EdPoint.CURVE();
/** 2^((p - 1)/4). */
const ROOT_OF_MINUS_ONE = 0x2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0n;

/** Returns the arithmetic on Ed25519 of an instance of the module. */
export function wasmEdArithmetic(module: FcmpModule): EdArithmetic {
  return {
    decode: (bytes) => decodeWithTorsion(module, bytes),
    decodeTorsionFree: (bytes) => decodeTorsionFree(module, bytes),
    multiply: (point, scalar) => multiple(module, point, scalar),
    squareRoot: (value) => wasmSquareRoot(module, value, p),
    invert: (value) => inverse(module, value),
  };
}

function inverse(module: FcmpModule, value: bigint): bigint {
  const reduced = mod(value, p);
  if (reduced === 0n) throw new RefusedProof('zero has no inverse');
  return wasmPower(module, reduced, p - 2n, p);
}

/** As `decodeEdPoint`. */
function decodeTorsionFree(module: FcmpModule, bytes: Uint8Array): EdPoint {
  const point = decodeWithTorsion(module, bytes);
  if (!multiple(module, point, l).is0()) throw new RefusedProof('a point of Ed25519 with torsion');
  return point;
}

/** As `decodeEdPointWithTorsion`. Source: RFC 8032, 5.1.3. */
function decodeWithTorsion(module: FcmpModule, bytes: Uint8Array): EdPoint {
  const value = bytesToNumberLE(bytes);
  const isOdd = value >= SIGN_BIT;
  const y = isOdd ? value - SIGN_BIT : value;
  if (bytes.length !== 32 || y >= p) throw new RefusedProof('no point of Ed25519');
  const ySquare = (y * y) % p;
  const x = rootOfRatio(module, mod(ySquare - 1n, p), (d * ySquare + 1n) % p);
  if (x === undefined || (x === 0n && isOdd)) throw new RefusedProof('no point of Ed25519');
  return EdPoint.fromAffine({ x: ((x & 1n) === 1n) === isOdd ? x : p - x, y });
}

/** Returns a square root of u/v modulo p for a v that is not zero, or undefined if there is none: with one power. */
function rootOfRatio(module: FcmpModule, u: bigint, v: bigint): bigint | undefined {
  const cube = (((v * v) % p) * v) % p;
  const seventh = (((cube * cube) % p) * v) % p;
  const power = wasmPower(module, (u * seventh) % p, (p - 5n) / 8n, p);
  const candidate = (((u * cube) % p) * power) % p;
  const found = (((candidate * candidate) % p) * v) % p;
  if (found === u) return candidate;
  return found === mod(-u, p) ? (candidate * ROOT_OF_MINUS_ONE) % p : undefined;
}

/** Returns the multiple of a point by a scalar below 2^255. */
function multiple(module: FcmpModule, point: EdPoint, scalar: bigint): EdPoint {
  const words = module.begin(p, MULTIPLE_ELEMENTS, MULTIPLE_TERMS);
  words.pushPoint(point.toAffine());
  words.pushAll([(2n * d) % p, scalar]);
  const place = module.wasm.multiplyEdPoint(module.place);
  const [X, Y, Z] = [0, 1, 2].map((index) => module.element(place, index) % p) as [
    bigint,
    bigint,
    bigint,
  ];
  // The factor of Montgomery's form is squared in all four.
  return new EdPoint((X * Z) % p, (Y * Z) % p, (Z * Z) % p, (X * Y) % p);
}
