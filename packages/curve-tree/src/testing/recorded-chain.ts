import { fromHex, parseBlock, parseTransaction } from '@monero-node/codec';
import type { CurveTreeRoot, ParsedBlock, ParsedTransaction } from '@monero-node/codec';
import { type NextForkChain, readNextFork, wideBlob } from '@monero-node/codec/testing';
import { createReferenceBackend } from '@monero-node/crypto';
import { type ScheduledOutput, scheduleOf } from '../schedule.ts';
import type { RecordedTrees } from './fixtures.ts';

/** A block of a recorded chain as a tree sees it. */
export interface RecordedBlock {
  readonly height: number;
  readonly version: number;
  readonly tree: CurveTreeRoot | undefined;
  readonly outputs: readonly ScheduledOutput[];
}

const backend = createReferenceBackend();
const known = new Map<bigint, Uint8Array>();

function commitToAmount(amount: bigint): Uint8Array {
  const commitment = known.get(amount) ?? backend.commitToAmount(amount);
  known.set(amount, commitment);
  return commitment;
}

function asSeen(
  height: number,
  { block, minerTx }: ParsedBlock,
  transactions: readonly ParsedTransaction[],
): RecordedBlock {
  const outputs = scheduleOf({ height, minerTx, transactions }, { commitToAmount });
  return { height, version: block.majorVersion, tree: block.tree, outputs };
}

/** Returns the blocks of a chain below a height, made when they are asked for. */
export function* blocksOf(name: NextForkChain['name'], below = Infinity): Generator<RecordedBlock> {
  const chain = readNextFork().chains.find((each) => each.name === name) as NextForkChain;
  for (const [height, { blob, wide }] of chain.blocks.entries()) {
    if (height >= below) return;
    const transactions = chain.transactions
      .filter((tx) => tx.height === height)
      .map((tx) => parseTransaction(fromHex(tx.blob)));
    yield asSeen(height, parseBlock(wide ? wideBlob(wide) : fromHex(blob)), transactions);
  }
}

/** Returns the blocks of the side chain. */
export function sideBlocks({ side }: RecordedTrees): RecordedBlock[] {
  return side.blocks.map((blob, i) => {
    const height = side.fromHeight + i;
    const transactions = side.transactions
      .filter((tx) => tx.height === height)
      .map((tx) => parseTransaction(fromHex(tx.blob)));
    return asSeen(height, parseBlock(fromHex(blob)), transactions);
  });
}
