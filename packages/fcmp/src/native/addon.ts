import { AddonError, loadAddon } from '@monero-node/base/addons';
import { p } from '../curves/fields.ts';

/** How the addon names the curves of the cycle. */
export const CURVE_NUMBERS = { Helios: 0, Selene: 1 } as const;

/** Returns how the addon names the field modulo a prime: as the curve whose coordinates lie in it. */
export function fieldNumber(prime: bigint): number {
  return prime === p ? CURVE_NUMBERS.Helios : CURVE_NUMBERS.Selene;
}

/** Functions of native/binding.cc. They throw TypeError for arguments that no caller here passes. Points of 64 bytes are x and y. */
export interface FcmpAddon {
  /** Writes the point of 32 bytes to `out`, 64 bytes; false if it is none or the identity, for which `IDENTITY_IN_PROOFS` is asked. */
  decodeCyclePoint(curve: number, bytes: Uint8Array, out: Uint8Array): boolean;
  /** As above, for points of the prime-order subgroup; the identity is one. */
  decodeEdPoint(bytes: Uint8Array, out: Uint8Array): boolean;
  /**
   * Writes the sum of multiples to `out`, 64 bytes; false for the identity. Scalars have 32 bytes each and 255 bits at
   * most; `fixedScalars` are those of
   * g, h, G_0 … G_(n-1), H_0 … H_(n-1).
   */
  cycleSum(
    curve: number,
    points: Uint8Array,
    scalars: Uint8Array,
    fixedScalars: Uint8Array,
    out: Uint8Array,
  ): boolean;
  /** Writes the sum of multiples to `out`, 64 bytes. Scalars have 253 bits at most. */
  edSum(points: Uint8Array, scalars: Uint8Array, out: Uint8Array): void;
  /** Adds the constraints of a program to `state`; constraint_weights.h tells of both. `values` and `powers`: 32 bytes each. */
  addConstraints(
    curve: number,
    gates: number,
    state: Uint8Array,
    program: Uint32Array,
    values: Uint8Array,
    powers: Uint8Array,
  ): void;
  /**
   * Writes what claims need of the line through two points to `out`; claim_line.h tells what that is. False where a denominator is
   * zero. `field` is the number of the curve whose coordinates are of that field; `a` is the curve's.
   */
  claimLine(
    field: number,
    a: Uint8Array,
    points: Uint8Array,
    bits: number,
    multiples: Uint8Array,
    out: Uint8Array,
  ): boolean;
  /** Writes a square root to `out`, 32 bytes; false if there is none. */
  squareRoot(field: number, value: Uint8Array, out: Uint8Array): boolean;
  /**
   * Makes leaves; tree_leaves.h tells of all three arrays. `kinds` becomes 1 for outputs that have a leaf, and 0 for others. False, for none
   * at all, when a hash is the identity.
   */
  treeLeaves(outputs: Uint8Array, kinds: Uint8Array, leaves: Uint8Array): boolean;
  /**
   * Grows `nodes`, 32 bytes each, in their place. `places` has the place of the first child and the number of children for each. False,
   * with nothing changed, for a malformed point or scalar.
   */
  treeNodes(
    curve: number,
    nodes: Uint8Array,
    childrenBefore: Uint8Array,
    places: Uint32Array,
    children: Uint8Array,
  ): boolean;
  /** Makes the tables of the tree, once for all threads of a process. */
  prepareTree(): void;
}

/**
 * Returns the addon for this machine: the one compiled in a checkout of the repository, or that of the optional package
 * for this platform. Throws AddonError when there is none or it does not load.
 */
export function loadFcmpAddon(): FcmpAddon {
  return loadAddon<FcmpAddon>({
    from: import.meta.url,
    // src/ and dist/ are both next to native/.
    compiled: '../../native/build/fcmp.node',
    install: 'install a C++ compiler (Debian: apt-get install g++), then run "npm run setup"',
    prebuilt: '@monero-node/fcmp',
  });
}

/** Returns the addon for this machine, or undefined where there is none. Throws AddonError for one that does not load. */
export function findFcmpAddon(load: () => FcmpAddon = loadFcmpAddon): FcmpAddon | undefined {
  try {
    return load();
  } catch (error) {
    if (error instanceof AddonError && error.isMissing) return undefined;
    throw error;
  }
}
