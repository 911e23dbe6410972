import type { TxInput } from '@monero-node/codec';
import { toHex } from '@monero-node/codec';
import type { RingBytes } from '@monero-node/crypto';
import type { Fail } from '../errors/fail.ts';
import type { ForkRules } from '../forks/fork-table.ts';
import { isUnlocked } from './unlock.ts';

/** Bytes of a key or a commitment. */
const ELEMENT_SIZE = 32;
/** Bytes that rings take from one buffer; a larger one has its own. */
const SHARED_SIZE = 65_536;

/**
 * Takes the members of rings one after another, so that none of them needs an object. The owner says where the next one goes; a chain fills
 * in the rest.
 */
export class RingSlot {
  /** Gets the parts of the member, 32 bytes each. */
  readonly bytes: Uint8Array;
  /** Offset of its key. */
  keyAt: number;
  /** Offset of its commitment. */
  commitmentAt: number;
  /** Whether its commitment is written. That of an output of a clear amount is not: it is G + amount·H. */
  hasCommitment = false;
  /** Of its transaction: a height below 500,000,000, Unix seconds from there on. */
  unlockTime = 0n;
  /** Height of its block. */
  height = 0;
  /** Whether it is a Carrot output, which no ring may have. */
  isCarrot = false;

  /** Makes a slot that takes the first member of a ring. */
  constructor({ bytes, at, size }: RingBytes) {
    this.bytes = bytes;
    this.keyAt = at;
    this.commitmentAt = at + ELEMENT_SIZE * size;
  }
}

/** The chain below a block, from which rings are read. */
export interface RingSource {
  /** Height of the block that the transaction is in; for the pool, of the next block. */
  readonly height: number;
  /** Returns the result of adjustedTime, Unix seconds. */
  adjustedTime(): number;
  /**
   * Reads an output by its amount (atomic units, 0 for RingCT outputs) and its index among the outputs of that amount, which may be any
   * 64-bit number. Returns whether there is one.
   */
  readRingMember(slot: RingSlot, amount: bigint, index: bigint): boolean;
  /** Returns the commitment G + amount·H of outputs of a clear amount (atomic units), 32 bytes. */
  commitToAmount(amount: bigint): Uint8Array;
  /** @param keyImage 32 bytes */
  isSpent(keyImage: Uint8Array): boolean;
}

type KeyInput = Extract<TxInput, { kind: 'key' }>;

/** The rings of a transaction. */
interface Rings {
  /** One for each input. */
  readonly rings: readonly RingBytes[];
  /** The greatest height of the last member of a ring. */
  readonly youngest: number;
}

let shared: Uint8Array | undefined;
let sharedEnd = 0;

/** Returns a place for a ring that no other has. An array of its own for each of millions of rings would keep the garbage collector busy. */
function placeFor(size: number): RingBytes {
  const length = 2 * ELEMENT_SIZE * size;
  if (length > SHARED_SIZE / 4) return { bytes: new Uint8Array(length), at: 0, size };
  if (shared === undefined || sharedEnd + length > SHARED_SIZE) {
    shared = new Uint8Array(SHARED_SIZE);
    sharedEnd = 0;
  }
  const at = sharedEnd;
  sharedEnd += length;
  return { bytes: shared, at, size };
}

/**
 * Reads the rings of unspent inputs. All members of a ring must exist before any is checked for locks.
 *
 * Throws through `fail`: 'empty-ring', 'double-spend', 'ring-member-missing', 'ring-member-locked', 'carrot-ring-member'.
 *
 * Source: Blockchain::check_tx_input in src/cryptonote_core/blockchain.cpp.
 *
 * @param rules of the block at chain.height
 * @param withCommitments whether they are needed: signatures of version 1 use the keys alone, and each clear amount would take a
 *   multiplication of a point. Without them the commitments of outputs of clear amounts are left out
 */
export function readRings(
  rules: ForkRules,
  inputs: readonly KeyInput[],
  chain: RingSource,
  { withCommitments, fail }: { readonly withCommitments: boolean; readonly fail: Fail },
): Rings {
  const rings: RingBytes[] = [];
  let youngest = 0;
  for (const input of inputs) {
    if (input.keyOffsets.length === 0) fail('empty-ring');
    if (chain.isSpent(input.keyImage)) fail('double-spend', toHex(input.keyImage));
    const ring = placeFor(input.keyOffsets.length);
    const last = readRing(rules, input, chain, { ring, fail });
    if (withCommitments && !last.hasCommitment)
      commitToAll(ring, chain.commitToAmount(input.amount));
    youngest = Math.max(youngest, last.height);
    rings.push(ring);
  }
  return { rings, youngest };
}

/**
 * Reads the members of one ring; returns the last one.
 *
 * Source: Blockchain::check_tx_input in src/cryptonote_core/blockchain.cpp.
 */
function readRing(
  rules: ForkRules,
  { amount, keyOffsets }: KeyInput,
  chain: RingSource,
  { ring, fail }: { readonly ring: RingBytes; readonly fail: Fail },
): RingSlot {
  const slot = new RingSlot(ring);
  let index = 0n;
  let lockedUntil: bigint | undefined;
  let hasCarrot = false;
  for (const offset of keyOffsets) {
    // Offsets may wrap: see absoluteOffsets.
    index = BigInt.asUintN(64, index + offset);
    if (!chain.readRingMember(slot, amount, index))
      fail('ring-member-missing', `amount ${amount}, index ${index}`);
    slot.keyAt += ELEMENT_SIZE;
    slot.commitmentAt += ELEMENT_SIZE;
    if (slot.isCarrot) hasCarrot = true;
    const { unlockTime } = slot;
    if (lockedUntil !== undefined || unlockTime === 0n) continue;
    if (!isUnlocked(rules, unlockTime, chain.height, () => chain.adjustedTime()))
      lockedUntil = unlockTime;
  }
  if (lockedUntil !== undefined) fail('ring-member-locked', `until ${lockedUntil}`);
  if (hasCarrot) fail('carrot-ring-member');
  return slot;
}

/** Gives all members of a ring the same commitment. */
function commitToAll({ bytes, at, size }: RingBytes, commitment: Uint8Array): void {
  for (let i = size; i < 2 * size; i++) bytes.set(commitment, at + ELEMENT_SIZE * i);
}
