import { keccak256 } from '@monero-node/keccak';
import { assertBytes } from '../bytes.ts';
import { runAtOnce, type Steps } from '../steps.ts';

/** Pairs that one step hashes. */
const PAIRS_PER_STEP = 128;
/** Leaves that one step copies. */
const LEAVES_PER_STEP = 8192;

/**
 * Returns the tree hash (32 bytes) of a block's transaction ids, of which n need not be a power of two: with c
 * the largest power of two below n, the first 2c - n leaves enter the next level unhashed.
 * `hashes`: at least one hash of 32 bytes. Throws RangeError when there is none or one of another length, and TypeError
 * for anything but bytes.
 * Source: src/crypto/tree-hash.c.
 */
export function treeHash(hashes: readonly Uint8Array[]): Uint8Array {
  return runAtOnce(treeHashSteps(hashes));
}

/** Computes what `treeHash` returns, of 32-byte hashes, in steps. Throws RangeError when there is no hash. */
export function* treeHashSteps(hashes: readonly Uint8Array[]): Steps<Uint8Array> {
  const count = hashes.length;
  if (count === 0) throw new RangeError('tree hash of no hashes');
  const [first] = hashes;
  assertBytes(first, 'hash', 32);
  if (count === 1) return first;
  const leaves = yield* joined(hashes);
  if (count === 2) return keccak256(leaves);

  let width = largestPowerOfTwoBelow(count);
  const unpaired = 2 * width - count;
  const level = new Uint8Array(width * 32);
  level.set(leaves.subarray(0, unpaired * 32));
  yield* hashPairs(leaves.subarray(unpaired * 32), level.subarray(unpaired * 32));
  for (; width > 2; width /= 2) yield* hashPairs(level.subarray(0, width * 32), level);
  return keccak256(level.subarray(0, 64));
}

/**
 * Returns the hashes (32 bytes each) that the first of a block's transaction ids is hashed with, one after the other, on its way to the tree
 * hash: none for a single id. `hashes`: at least one, 32 bytes each. Throws RangeError and TypeError as `treeHash` does.
 */
export function treeBranch(hashes: readonly Uint8Array[]): Uint8Array[] {
  const count = hashes.length;
  if (count === 0) throw new RangeError('tree branch of no hashes');
  const leaves = runAtOnce(joined(hashes));
  if (count === 1) return [];
  if (count === 2) return [leaves.slice(32)];

  let width = largestPowerOfTwoBelow(count);
  const unpaired = 2 * width - count;
  const branch = unpaired === 0 ? [leaves.slice(32, 64)] : [];
  const level = new Uint8Array(width * 32);
  level.set(leaves.subarray(0, unpaired * 32));
  runAtOnce(hashPairs(leaves.subarray(unpaired * 32), level.subarray(unpaired * 32)));
  for (; width > 1; width /= 2) {
    branch.push(level.slice(32, 64));
    runAtOnce(hashPairs(level.subarray(0, width * 32), level));
  }
  return branch;
}

/** Returns hashes of 32 bytes joined in order. */
function* joined(hashes: readonly Uint8Array[]): Steps<Uint8Array> {
  const bytes = new Uint8Array(hashes.length * 32);
  for (const [i, hash] of hashes.entries()) {
    assertBytes(hash, 'hash', 32);
    bytes.set(hash, i * 32);
    if (i % LEAVES_PER_STEP === LEAVES_PER_STEP - 1) yield undefined;
  }
  return bytes;
}

/** Hashes each 64 bytes of `from` into 32 bytes of `to`, which may be the same memory. */
function* hashPairs(from: Uint8Array, to: Uint8Array): Steps<void> {
  for (let pair = 0; pair * 64 < from.length; pair++) {
    to.set(keccak256(from.subarray(pair * 64, pair * 64 + 64)), pair * 32);
    if (pair % PAIRS_PER_STEP === PAIRS_PER_STEP - 1) yield undefined;
  }
}

function largestPowerOfTwoBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}
