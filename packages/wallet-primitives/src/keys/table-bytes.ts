import { bytesEqual, ByteReader, ByteWriter, DecodeError } from '@monero-node/codec';
import { concatBytes } from '@monero-node/codec/bytes';
import { keccak256 } from '@monero-node/crypto';
import type { ViewAccount } from './account.ts';

const KEY_SIZE = 32;
const SEAL_SIZE = 32;

/** Binds bytes to an account: nobody without its view key can make or change them. */
function sealOf({ viewSecret, spendKey }: ViewAccount, body: Uint8Array): Uint8Array {
  return keccak256(concatBytes(viewSecret, spendKey, body));
}

/**
 * Returns the public spend keys (32 bytes each) of each account of a table, in the order of their indices, as bytes: the number of accounts, for each the
 * number of its keys (varints) and the keys, and a seal of 32 bytes.
 */
export function encodeTable(
  account: ViewAccount,
  keys: readonly (readonly Uint8Array[])[],
): Uint8Array {
  const writer = new ByteWriter();
  writer.varint(keys.length);
  for (const list of keys) {
    writer.varint(list.length);
    for (const key of list) writer.bytes(key);
  }
  const body = writer.toBytes();
  return concatBytes(body, sealOf(account, body));
}

/** Returns the keys that {@link encodeTable} wrote, 32 bytes each. Throws DecodeError unless it wrote these bytes for this account. */
export function decodeTable(account: ViewAccount, bytes: Uint8Array): Uint8Array[][] {
  const body = bytes.subarray(0, Math.max(0, bytes.length - SEAL_SIZE));
  if (!bytesEqual(sealOf(account, body), bytes.subarray(body.length))) {
    throw new DecodeError('not a table of the addresses of this account');
  }
  const reader = new ByteReader(body);
  const keys = Array.from({ length: reader.count(1) }, () =>
    Array.from({ length: reader.count(KEY_SIZE) }, () => reader.bytes(KEY_SIZE)),
  );
  reader.end();
  return keys;
}
