import { readFileSync } from 'node:fs';
import {
  BOOTSTRAP_HEADER_BYTES,
  ByteReader,
  decodeBootstrapHeader,
  decodeBootstrapPackage,
  type ParsedBlock,
  type ParsedTransaction,
} from '@monero-node/codec';

/** A block of a file with its transactions. */
export interface RecordedBlock {
  readonly block: ParsedBlock;
  readonly txs: readonly ParsedTransaction[];
}

/**
 * Returns the blocks of a file that `monero-blockchain-export` or `npm run chain export` has written, without the first
 * block of the chain, which every node has.
 *
 * Throws DecodeError for another file.
 */
export function readRecordedChain(path: string | URL): RecordedBlock[] {
  const file = readFileSync(path);
  const { majorVersion } = decodeBootstrapHeader(file);
  const reader = new ByteReader(file.subarray(BOOTSTRAP_HEADER_BYTES));
  const blocks: RecordedBlock[] = [];
  while (reader.remaining > 0) {
    const { block, txs } = decodeBootstrapPackage(reader.bytes(reader.u32le()), majorVersion);
    blocks.push({ block, txs });
  }
  const [first] = blocks;
  const isGenesis = first?.block.block.prevId.every((byte) => byte === 0) ?? false;
  return isGenesis ? blocks.slice(1) : blocks;
}
