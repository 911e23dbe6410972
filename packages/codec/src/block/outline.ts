import { ByteReader } from '../byte-reader.ts';
import { readOutline, type TransactionOutline } from '../transaction/outline.ts';
import { readHeader } from './block.ts';

/** Returns the outline of a block's miner transaction. Throws DecodeError for a malformed header, and as outlineTransaction does. */
export function outlineMinerTransaction(block: Uint8Array): TransactionOutline {
  const reader = new ByteReader(block);
  readHeader(reader);
  return readOutline(reader);
}
