import type { Kind } from '@monero-node/codec/portable-storage';

/** Bytes of JSON text written between two stops. */
export const BYTES_PER_STEP = 1 << 18;

/** True for kinds whose values are short, so that they are written without a stop. */
export function isShort(kind: Kind): boolean {
  return (
    kind.kind === 'integer' || kind.kind === 'bool' || kind.kind === 'text' || kind.kind === 'hex'
  );
}
