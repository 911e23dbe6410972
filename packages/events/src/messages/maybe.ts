import type { Field } from '@monero-node/codec/portable-storage';

/** Returns a field that may be absent, and is then read as undefined. */
export function maybe<In, Out>(
  field: Field<In, Out, boolean>,
): Field<In | undefined, Out | undefined, false> {
  return { kind: field.kind, presence: 'if-given', fallback: undefined };
}
