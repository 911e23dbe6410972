import { readFileSync, writeFileSync } from 'node:fs';
import { blockId, encodeLooseBlock, parseLooseBlock, type LooseBlock } from './block.ts';
import { varint } from './bytes.ts';
import { CHAIN_FILE, recordedBlocks } from './fixture.ts';
import { encodeLoose } from './transaction.ts';

const EMISSION_SHIFT = 19n;
const MAX_SUPPLY = 2n ** 64n - 1n;
const COINBASE_LOCK = 60;
/** Difficulty of the recorded chain. At 1, any nonce is sufficient proof of work. */
const DIFFICULTY = 1n;

export interface ExtendedChain {
  /** Number of blocks, genesis included. */
  height: number;
  topId: string;
}

/** Returns the next block, which is empty. Its coinbase pays the owner of the previous one. */
function nextBlock(below: LooseBlock, height: number, amount: bigint): LooseBlock {
  const [output] = below.minerTx.outputs;
  if (output === undefined) throw new Error('a coinbase without outputs');
  return {
    ...below,
    timestamp: below.timestamp + 1n,
    prevId: blockId(below),
    minerTx: {
      ...below.minerTx,
      unlockTime: BigInt(height + COINBASE_LOCK),
      inputs: [{ kind: 'gen', height: BigInt(height) }],
      outputs: [{ ...output, amount }],
    },
    txHashes: [],
  };
}

/**
 * Writes the recorded chain with `count` valid empty blocks on top, in the format of
 * monero-blockchain-export. Only their ids are hashed, so thousands take a second.
 */
export function writeExtendedChain(path: string, count: number): ExtendedChain {
  const last = recordedBlocks().at(-1);
  if (last === undefined) throw new Error('the recorded chain is empty');
  let block = parseLooseBlock(last.block);
  let { height, generatedCoins, cumulativeDifficulty } = last;
  const parts: Buffer[] = [readFileSync(CHAIN_FILE)];
  for (let i = 0; i < count; i++) {
    height++;
    const reward = (MAX_SUPPLY - generatedCoins) >> EMISSION_SHIFT;
    block = nextBlock(block, height, reward);
    generatedCoins += reward;
    cumulativeDifficulty += DIFFICULTY;
    const content = Buffer.concat([
      encodeLooseBlock(block),
      varint(0),
      varint(encodeLoose(block.minerTx).length),
      varint(cumulativeDifficulty >> 64n),
      varint(cumulativeDifficulty & ((1n << 64n) - 1n)),
      varint(generatedCoins),
    ]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    parts.push(length, content);
  }
  writeFileSync(path, Buffer.concat(parts));
  return { height: height + 1, topId: blockId(block).toString('hex') };
}
