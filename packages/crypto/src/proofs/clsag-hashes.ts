import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { RingPoint } from '../types.ts';
import { hashToScalar, reduceScalar } from '../curve/scalar.ts';

/** The public part of a CLSAG that its hashes cover; 32 bytes each. */
export interface ClsagStatement {
  readonly message: Uint8Array;
  readonly ring: readonly RingPoint[];
  readonly pseudoOut: Uint8Array;
  readonly keyImage: Uint8Array;
  /** As published, already divided by 8. */
  readonly D: Uint8Array;
}

function domain(name: string): Uint8Array {
  const padded = new Uint8Array(32);
  padded.set(utf8ToBytes(name));
  return padded;
}

const AGGREGATE_KEY = domain('CLSAG_agg_0');
const AGGREGATE_COMMITMENT = domain('CLSAG_agg_1');
const ROUND = domain('CLSAG_round');

function ringBytes(ring: readonly RingPoint[]): Uint8Array[] {
  return [...ring.map((member) => member.key), ...ring.map((member) => member.commitment)];
}

/**
 * Returns the aggregation coefficients of key and commitment, modulo l. The hashed fields are, in order: keys,
 * commitments, key image, D, pseudo-output. Source: verRctCLSAGSimple in src/ringct/rctSigs.cpp.
 */
export function aggregationCoefficients(statement: ClsagStatement): { muP: bigint; muC: bigint } {
  const { ring, keyImage, D, pseudoOut } = statement;
  const body = [...ringBytes(ring), keyImage, D, pseudoOut];
  return {
    muP: hashToScalar(AGGREGATE_KEY, ...body),
    muC: hashToScalar(AGGREGATE_COMMITMENT, ...body),
  };
}

/**
 * Returns a function from a round's L and R, 32 bytes each, to the next challenge modulo l; the common prefix is
 * hashed once.
 */
export function challengeHash(
  statement: ClsagStatement,
): (left: Uint8Array, right: Uint8Array) => bigint {
  const prefix = keccak_256.create().update(ROUND);
  for (const part of ringBytes(statement.ring)) prefix.update(part);
  prefix.update(statement.pseudoOut).update(statement.message);
  return (left, right) => reduceScalar(prefix.clone().update(left).update(right).digest());
}
