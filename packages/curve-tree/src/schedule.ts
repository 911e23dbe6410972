import { runAtOnce } from '@monero-node/base';
import type { ParsedTransaction, TxTarget } from '@monero-node/codec';
import { MAX_UNLOCK_HEIGHT, TREE_AHEAD } from '@monero-node/consensus';
import type { ChainOutput } from '@monero-node/fcmp';

// When an output enters the tree. Sources: get_last_locked_block_index in src/cryptonote_basic/cryptonote_format_utils.cpp.

/** A block whose height and time are known, from which times are turned into heights. */
export interface TimeLockAnchor {
  readonly height: bigint;
  /** Unix seconds. */
  readonly time: bigint;
}

/** Upstream has the block before mainnet's fork 16 on every network, and marks that as unfinished. */
export const TIME_LOCK_ANCHOR: TimeLockAnchor = { height: 2_689_608n, time: 1_656_629_118n };

/** Seconds between two blocks. */
const TARGET = 120n;

/**
 * Returns the last index at which an output of a block is locked, which is that of the tree that it enters. A miner's outputs
 * enter at height + 59, as their unlock time is height + 60.
 *
 * @param unlockTime of the transaction: a height below 500,000,000, else Unix seconds
 * @param height of the block
 */
export function lastLockedIndex(
  unlockTime: bigint,
  height: number,
  anchor: TimeLockAnchor = TIME_LOCK_ANCHOR,
): bigint {
  const aged = BigInt(height + TREE_AHEAD);
  const locked = unlockTime === 0n ? 0n : heightOf(unlockTime, anchor);
  return locked > aged ? locked : aged;
}

function heightOf(unlockTime: bigint, { height, time }: TimeLockAnchor): bigint {
  if (unlockTime < MAX_UNLOCK_HEIGHT) return unlockTime - 1n;
  return unlockTime < time
    ? height - (time - unlockTime) / TARGET
    : height + (unlockTime - time) / TARGET;
}

/** An output of a block and the index at which it enters the tree. */
export interface ScheduledOutput extends ChainOutput {
  readonly entersAt: bigint;
}

/** What the schedule has to know. */
export interface ScheduledBlock {
  readonly height: number;
  readonly minerTx: ParsedTransaction;
  /** In the order of the block. Pruned ones will do. */
  readonly transactions: readonly ParsedTransaction[];
}

/** How outputs of a chain are read. */
export interface ScheduleOptions {
  /** Returns G + amount·H, 32 bytes, for outputs whose amount is not hidden. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  /** Of the network; upstream's by default. */
  readonly anchor?: TimeLockAnchor;
}

/** Returns the index at which each output of a block enters, in the order of their unified ids: all that taking a block back needs. */
export function entriesOf(
  { height, minerTx, transactions }: ScheduledBlock,
  anchor?: TimeLockAnchor,
): Pick<ScheduledOutput, 'entersAt'>[] {
  return [minerTx, ...transactions].flatMap(({ parts }) => {
    const entersAt = lastLockedIndex(parts.unlockTime, height, anchor);
    return Array.from({ length: parts.outputCount }, () => ({ entersAt }));
  });
}

/**
 * Returns the outputs of a block in the order of their unified ids: the miner's, then those of each transaction. Whether a point is
 * one is not looked at. Throws RangeError for an output without a key, which no rule lets into a block.
 */
export function scheduleOf(block: ScheduledBlock, options: ScheduleOptions): ScheduledOutput[] {
  return runAtOnce(scheduleSteps(block, options));
}

/** Does the same in steps, an output each: a block may have many thousands, each with a commitment to compute. */
export function* scheduleSteps(
  { height, minerTx, transactions }: ScheduledBlock,
  { anchor, commitToAmount }: ScheduleOptions,
): Generator<undefined, ScheduledOutput[]> {
  const outputs: ScheduledOutput[] = [];
  for (const { tx, parts } of [minerTx, ...transactions]) {
    const entersAt = lastLockedIndex(parts.unlockTime, height, anchor);
    for (const [i, { target, amount }] of tx.outputs.entries()) {
      const { key, kind } = keyOf(target);
      const commitment = parts.commitment(i) ?? commitToAmount(amount);
      outputs.push({ key, kind, entersAt, commitment });
      yield;
    }
  }
  return outputs;
}

/** By the type of the output, never by its height: version 17 has both. */
function keyOf(target: TxTarget): Pick<ChainOutput, 'key' | 'kind'> {
  switch (target.kind) {
    case 'key':
    case 'tagged-key':
      return { key: target.key, kind: 'legacy' };
    case 'carrot':
      return { key: target.key, kind: 'carrot' };
    case 'script':
    case 'scripthash':
      throw new RangeError(`an output of a block has a key, not a ${target.kind}`);
  }
}
