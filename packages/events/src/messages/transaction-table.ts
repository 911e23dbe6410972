import { defineTable, f, type Field, type MessageOf } from '@monero-node/codec/portable-storage';

/** Returns a field that may be absent, and is then read as undefined. */
function maybe<In, Out>(
  field: Field<In, Out, boolean>,
): Field<In | undefined, Out | undefined, false> {
  return { kind: field.kind, presence: 'if-given', fallback: undefined };
}

/** An input of a transaction. */
export const EVENT_INPUT = defineTable({
  /** Atomic units; 0 when hidden. Also the list that the ring's outputs are in. */
  amount: f.u64(),
  key_image: f.hash(),
  /** Global indices of the ring members in the list of `amount`, absolute. */
  ring: f.u32s(),
});

/** An output of a transaction. */
export const EVENT_OUTPUT = defineTable({
  /** Atomic units; 0 when hidden. */
  amount: f.u64(),
  public_key: f.hash(),
  /**
   * Index in the list of outputs that it belongs to: list 0 for transactions of version 2, list `amount` for version 1.
   * Absent in the pool.
   */
  global_index: maybe(f.u32()),
  view_tag: maybe(f.u8()),
});

/** The facts of a transaction for explorers and indexes. Signatures and proofs are left out. */
export const EVENT_TRANSACTION = defineTable({
  id: f.hash(),
  version: f.u8(),
  /** Atomic units; 0 for a miner transaction. */
  fee: f.u64(),
  /** 0 when the node has pruned a transaction whose weight cannot be derived. */
  weight: f.safeU64(),
  /** A height below 500,000,000, else seconds since 1970. */
  unlock_time: f.u64(),
  extra: f.hex(),
  /** Empty for a miner transaction. */
  inputs: f.objects(EVENT_INPUT),
  outputs: f.objects(EVENT_OUTPUT),
});

export type EventInput = MessageOf<typeof EVENT_INPUT>;
export type EventOutput = MessageOf<typeof EVENT_OUTPUT>;
export type EventTransaction = MessageOf<typeof EVENT_TRANSACTION>;
