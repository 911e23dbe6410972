import { blockId, parseLooseBlock, transactionId } from '../chain/block.ts';
import { hex } from '../chain/bytes.ts';
import { recordedBlocks } from '../chain/fixture.ts';
import { parseLoose } from '../chain/transaction.ts';

/** Heights, ids and blobs of the recorded chain, for use in requests. */
export interface ChainSample {
  /** Height of the top block. */
  readonly top: number;
  /** Block ids by height. */
  readonly ids: readonly Buffer[];
  /** Ids of all transactions except coinbases, in hex and in the order of the chain. */
  readonly txIds: readonly string[];
  readonly coinbaseIds: readonly string[];
  /** Blobs of the same transactions, in hex. */
  readonly txBlobs: readonly string[];
  /** Spent key images, in hex. */
  readonly keyImages: readonly string[];
  /** Blobs of the blocks by height, in hex. */
  readonly blocks: readonly string[];
  /** Returns the number of blocks to pop until `count` transactions are in the pool. */
  readonly blocksWithLast: (count: number) => number;
  /** Returns the ids that a client with all blocks up to `height` sends to get_blocks.bin. */
  readonly history: (height: number) => Buffer;
}

export function chainSample(): ChainSample {
  const blocks = recordedBlocks();
  const parsed = blocks.map(({ block }) => parseLooseBlock(block));
  const ids = parsed.map(blockId);
  const txs = blocks.flatMap((block) => block.txs);
  return {
    top: blocks.length - 1,
    ids,
    txIds: parsed.flatMap((block) => block.txHashes.map((id) => hex(id))),
    coinbaseIds: parsed.map((block) => hex(transactionId(block.minerTx))),
    txBlobs: txs.map((blob) => hex(blob)),
    keyImages: txs.flatMap((blob) =>
      parseLoose(blob).inputs.flatMap((input) =>
        input.kind === 'key' ? [hex(input.keyImage)] : [],
      ),
    ),
    blocks: blocks.map(({ block }) => hex(block)),
    blocksWithLast: (count) => {
      const sizes = blocks.map((block) => block.txs.length);
      let at = sizes.length;
      for (let found = 0; found < count && at > 1;) found += sizes[--at] ?? 0;
      return sizes.length - at;
    },
    history: (height) => historyOf(ids, height),
  };
}

function historyOf(ids: readonly Buffer[], height: number): Buffer {
  const picked: Buffer[] = [];
  for (let at = height, step = 1; at > 0; at -= step) {
    picked.push(ids[at] ?? Buffer.alloc(32));
    if (picked.length >= 10) step *= 2;
  }
  return Buffer.concat([...picked, ids[0] ?? Buffer.alloc(32)]);
}
