import { ByteWriter } from '../byte-writer.ts';
import type { Steps } from '../steps.ts';
import { treeHashSteps } from './tree-hash.ts';

/** Joins the parts of a hashing blob, in steps. `header`: its bytes, nonce included. `minerTxId`: 32 bytes. */
export function* joinHashingBlob(
  header: Uint8Array,
  minerTxId: Uint8Array,
  txHashes: readonly Uint8Array[],
): Steps<Uint8Array> {
  const root = yield* treeHashSteps([minerTxId, ...txHashes]);
  return new ByteWriter(128)
    .bytes(header)
    .key(root)
    .varint(txHashes.length + 1)
    .toBytes();
}
