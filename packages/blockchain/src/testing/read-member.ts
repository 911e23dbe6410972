import { RingSlot } from '@monero-node/consensus';
import type { ChainView } from '../view/chain-view.ts';

/** A ring member as an object, for tests. */
export interface ReadMember {
  readonly key: Uint8Array;
  /** Absent for an output of a clear amount. */
  readonly commitment: Uint8Array | undefined;
  readonly unlockTime: bigint;
  readonly height: number;
  readonly isCarrot: boolean;
}

/** Returns an output of a view by its amount (atomic units) and its index; undefined if there is none. */
export function readMember(
  view: ChainView,
  amount: bigint,
  index: bigint | number,
): ReadMember | undefined {
  const slot = new RingSlot({ bytes: new Uint8Array(64), at: 0, size: 1 });
  if (!view.readRingMember(slot, amount, BigInt(index))) return undefined;
  const { bytes, hasCommitment, unlockTime, height, isCarrot } = slot;
  const commitment = hasCommitment ? bytes.subarray(32) : undefined;
  return { key: bytes.subarray(0, 32), commitment, unlockTime, height, isCarrot };
}
