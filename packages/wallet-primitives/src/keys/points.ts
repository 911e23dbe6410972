import { fromHex } from '@monero-node/codec';

/** The base point G, 32 bytes. */
export const G_BYTES = fromHex(`58${'66'.repeat(31)}`);
/** The base of amounts. Source: H in src/ringct/rctTypes.h. */
export const H = fromHex('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94');
/** The encoding of the identity. */
export const IDENTITY = fromHex(`01${'00'.repeat(31)}`);
/** The scalar 1. */
export const ONE = Uint8Array.of(1, ...new Uint8Array(31));
/** The scalar 0. */
export const ZERO = new Uint8Array(32);
