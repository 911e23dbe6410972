import { readFileSync } from 'node:fs';
import { readBlock } from './block.ts';
import { Cursor } from './bytes.ts';
import { readTransaction } from './transaction.ts';

const MAGIC = 0x28721586;
const HEADER_SIZE = 1024;

/** The blobs of a block and of its transactions, in the block's order. */
export interface RecordedBlock {
  height: number;
  block: Buffer;
  txs: Buffer[];
  /** The value that the exporting node computed. */
  weight: number;
  cumulativeDifficulty: bigint;
  generatedCoins: bigint;
}

/**
 * Reads a chain that monero-blockchain-export wrote (bootstrap format: magic, 1,024 bytes of header,
 * then per block its length and a package of block, transactions and sums; source:
 * src/blockchain_utilities/bootstrap_file.cpp, bootstrap_serialization.h). Depending on its version,
 * the export omits genesis, so heights are taken from the miner transactions.
 */
export function readChainFile(path: string): RecordedBlock[] {
  const file = new Cursor(readFileSync(path));
  if (file.u32() !== MAGIC) throw new Error(`${path} is not an exported chain`);
  file.take(HEADER_SIZE);
  const blocks: RecordedBlock[] = [];
  while (file.left > 0) blocks.push(readPackage(new Cursor(file.take(file.u32()))));
  return blocks;
}

function readPackage(from: Cursor): RecordedBlock {
  const parsed = readBlock(from);
  const block = from.bytes.subarray(0, from.offset);
  const txs = Array.from({ length: from.count() }, () => {
    const start = from.offset;
    readTransaction(from);
    return Buffer.from(from.bytes.subarray(start, from.offset));
  });
  const input = parsed.minerTx.inputs[0];
  if (input?.kind !== 'gen') throw new Error('a block without a miner input');
  const weight = Number(from.varint());
  const cumulativeDifficulty = (from.varint() << 64n) | from.varint();
  const generatedCoins = from.varint();
  if (from.left > 0) throw new Error('a block package with bytes left over');
  return {
    height: Number(input.height),
    block: Buffer.from(block),
    txs,
    weight,
    cumulativeDifficulty,
    generatedCoins,
  };
}
