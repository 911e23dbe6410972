import { inSlices, type Yielder } from '@monero-node/base';
import { bytesEqual, toHex, type ParsedBlock, type ParsedTransaction } from '@monero-node/codec';
import {
  addGeneratedCoins,
  blockReward,
  checkBlockSize,
  checkCheckpoint,
  checkInputs,
  checkMinerTxAmount,
  checkMinerTxShape,
  checkTimestamp,
  checkTransaction,
  checkVersion,
  ConsensusError,
  feeOf,
  longTermWeight,
  minerTxPoints,
  NO_RING_SIGNATURES,
  transactionWeight,
  type ForkRules,
  type PendingProofs,
} from '@monero-node/consensus';
import { CheckPacker } from '@monero-node/crypto';
import type { BlockMeta } from '@monero-node/storage';
import { blockRecordSteps, countRctOutputs } from './block-record.ts';
import type { ChainView } from '../view/chain-view.ts';
import { difficultyAfter } from '../view/next-difficulty.ts';
import type { CompleteBlock } from '../types.ts';
import { RingRecorder, type VerifiedTransactions } from './verified-transactions.ts';

/** The proofs of a transaction that are left to verify, and whether that is needed. */
export interface PendingTransaction extends PendingProofs {
  /** Whether all of them were verified before, with the same ring members, under the same version. */
  readonly cached: boolean;
}

/** A block that obeys every rule except the expensive ones, still to be verified: proof of work and cryptography. */
export interface PreparedBlock {
  readonly height: number;
  readonly bundle: CompleteBlock;
  readonly difficulty: bigint;
  readonly meta: BlockMeta;
  /** None for a block known to be right. */
  readonly transactions: readonly PendingTransaction[];
  /** Whether its id was known to be right: proof of work and transactions need no verification. */
  readonly known: boolean;
  /** The median of weights that holds for the block after it. */
  readonly nextMedianWeight: number;
}

export interface PrepareOptions {
  /** Unix seconds. */
  readonly now: number;
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  /** Transactions whose proofs need not be verified again; none by default. */
  readonly verified?: VerifiedTransactions;
  /** The block whose proof of work has just been verified, on the same view. */
  readonly provenWork?: ParsedBlock | undefined;
  /** Returns the known id of the block at a height, 32 bytes; undefined when the block must be verified. */
  readonly knownId?: (height: number) => Uint8Array | undefined;
  /** Returns the weight of the block that `knownId` names; needed when transactions are pruned. */
  readonly knownWeight?: (height: number) => number | undefined;
  /**
   * Whether it is left to the store to find that a known block has a transaction or spends an output twice, or again: a commit
   * looks for every id and key image anyway. The store's error is another, and may come after that of a later rule. Not by default.
   */
  readonly leavesDuplicates?: boolean;
}

/** Whether the root of a header must be that of this node: not while that one may still be computed once more, for a block with good work. */
export type RootCheck = 'checked' | 'unchecked';

/**
 * Checks the header of a block that extends `view`: size in bytes, parent, version, timestamp, checkpoint, root of the curve tree.
 * Returns the difficulty of the block. Throws ConsensusError when a rule is broken.
 *
 * @param now Unix seconds
 */
export function checkHeader(
  view: ChainView,
  parsed: ParsedBlock,
  now: number,
  root: RootCheck = 'checked',
): bigint {
  const { block, blob, id } = parsed;
  const { height, network } = view;
  checkBlockSize(blob.length, view.weightState.limit, height);
  if (view.top !== undefined && !bytesEqual(block.prevId, view.top.id)) {
    throw new ConsensusError('bad-prev-id', toHex(block.prevId), { height });
  }
  checkVersion(network, height, block);
  checkTimestamp(block.timestamp, view.recentTimestamps(), height, now);
  const difficulty = difficultyAfter(view.headers, network);
  checkCheckpoint(network, height, id);
  if (root === 'checked') view.tree?.checkHeader(block.tree, view.rules);
  return difficulty;
}

/** Checks one transaction against the view, in monerod's order, and returns the proofs left to verify. */
function prepareTransaction(
  view: ChainView,
  rules: ForkRules,
  parsed: ParsedTransaction,
  { verified, packer }: { verified: VerifiedTransactions | undefined; packer: CheckPacker },
): PendingTransaction {
  const txId = toHex(parsed.id);
  const own = checkTransaction(rules, parsed, txId);
  const rangeProofs = own.rangeProofs && packer.pack(own.rangeProofs);
  const { points, keyImages, torsionFree, balance } = own;
  const checks = { points, keyImages, torsionFree, balance, rangeProofs };
  if (!verified?.has(txId)) {
    const ringSignatures = packer.pack(checkInputs(rules, parsed, view));
    return { txId, checks, ringSignatures, cached: false };
  }
  const recorder = new RingRecorder(view);
  const ringSignatures = checkInputs(rules, parsed, recorder);
  const verification = { version: rules.version, ring: recorder.digest() };
  const cached = verified.covers(txId, verification);
  return { txId, checks, ringSignatures: packer.pack(ringSignatures), cached };
}

/** Returns the check of a miner transaction's Carrot outputs; none when it has no such outputs. */
function prepareMinerTx(minerTx: ParsedTransaction, packer: CheckPacker): PendingTransaction[] {
  const torsionFree = minerTxPoints(minerTx);
  if (torsionFree.length === 0) return [];
  const checks = { points: [], keyImages: [], torsionFree };
  const ringSignatures = packer.pack(NO_RING_SIGNATURES);
  return [{ txId: toHex(minerTx.id), checks, ringSignatures, isMinerTx: true, cached: false }];
}

/**
 * Returns whether the block is known to be right. Throws ConsensusError 'checkpoint-mismatch' when another block is
 * known for its height.
 */
function checkKnown(options: PrepareOptions, height: number, id: Uint8Array): boolean {
  const knownId = options.knownId?.(height);
  if (knownId === undefined || bytesEqual(knownId, id)) return knownId !== undefined;
  throw new ConsensusError('checkpoint-mismatch', `expected ${toHex(knownId)}`, { height });
}

/** Throws ConsensusError 'duplicate-tx' when the chain has a transaction already. Storage relies on it. */
function checkNew(view: ChainView, { id }: ParsedTransaction): void {
  if (!view.hasTransaction(id)) return;
  const txId = toHex(id);
  throw new ConsensusError('duplicate-tx', txId, { txId });
}

/** Throws ConsensusError 'double-spend' when two inputs of one block spend the same output. */
async function checkSpentOnce(txs: readonly ParsedTransaction[], yielder: Yielder): Promise<void> {
  const seen = new Set<string>();
  for (const { id, parts } of txs) {
    if (yielder.due) await yielder.yieldNow();
    for (let i = 0; i < parts.keyImageCount; i++) {
      const key = toHex(parts.keyImage(i));
      if (seen.has(key)) throw new ConsensusError('double-spend', key, { txId: toHex(id) });
      seen.add(key);
    }
  }
}

/**
 * Returns the sum of the weights of the transactions; for a block with pruned ones, the known weight.
 *
 * Throws ConsensusError 'missing-tx' when a transaction is pruned and no weight is known.
 * Source: handle_block_to_main_chain in src/cryptonote_core/blockchain.cpp.
 */
function blockWeight(bundle: CompleteBlock, knownWeight: number | undefined): number {
  const { block, txs } = bundle;
  const pruned = txs.find((tx) => tx.pruned);
  if (pruned === undefined) {
    return txs.reduce((sum, tx) => sum + transactionWeight(tx), transactionWeight(block.minerTx));
  }
  if (knownWeight !== undefined) return knownWeight;
  throw new ConsensusError('missing-tx', `${toHex(pruned.id)} is pruned`);
}

/** Checks the amount of the miner transaction and returns the block's figures for storage. */
function blockMeta(
  view: ChainView,
  rules: ForkRules,
  bundle: CompleteBlock,
  { difficulty, weight }: { difficulty: bigint; weight: number },
): BlockMeta {
  const { block, id, minerTx } = bundle.block;
  const { height, top } = view;
  const generatedCoins = top?.generatedCoins ?? 0n;
  const baseReward = blockReward({
    medianWeight: view.weightState.rewardMedian,
    blockWeight: weight,
    generatedCoins,
    rules,
  });
  const fees = bundle.txs.reduce((sum, tx) => sum + feeOf(tx), 0n);
  const reward = checkMinerTxAmount(rules, minerTx, baseReward, fees);
  const rctOutputs = countRctOutputs(bundle);
  return {
    height,
    id,
    timestamp: block.timestamp,
    weight,
    longTermWeight: longTermWeight(rules, weight, view.longTerm.median),
    cumulativeDifficulty: (top?.cumulativeDifficulty ?? 0n) + difficulty,
    generatedCoins: addGeneratedCoins(generatedCoins, reward),
    cumulativeTxCount: (top?.cumulativeTxCount ?? 0) + bundle.txs.length,
    cumulativeRctOutputs: rules.cumulativeRctOutputs
      ? (top?.cumulativeRctOutputs ?? 0) + rctOutputs
      : rctOutputs,
    majorVersion: block.majorVersion,
    minorVersion: block.minorVersion,
  };
}

/** Returns the error with the height and the transaction added, if the rule did not name them. */
export function located(error: unknown, height: number, tx?: ParsedTransaction): unknown {
  if (!(error instanceof ConsensusError)) return error;
  return new ConsensusError(error.code, error.detail, {
    height: error.height ?? height,
    txId: error.txId ?? (tx && toHex(tx.id)),
  });
}

/**
 * Checks every rule of the next block of `view` except proof of work and curve arithmetic, and pushes the block on
 * the view. A large block is checked in slices of the yielder.
 *
 * Throws ConsensusError when a rule is broken; the view is then unchanged.
 * Source: handle_block_to_main_chain in src/cryptonote_core/blockchain.cpp.
 */
export async function prepareBlock(
  view: ChainView,
  bundle: CompleteBlock,
  options: PrepareOptions,
  yielder: Yielder,
): Promise<PreparedBlock> {
  const { height, rules } = view;
  let current: ParsedTransaction | undefined;
  try {
    const difficulty = checkHeader(view, bundle.block, options.now);
    const known = checkKnown(options, height, bundle.block.id);
    checkMinerTxShape(rules, height, bundle.block.minerTx);
    const findsDuplicates = !(known && options.leavesDuplicates === true);
    const transactions: PendingTransaction[] = [];
    const inputs = known ? undefined : { verified: options.verified, packer: new CheckPacker() };
    for (const tx of bundle.txs) {
      const pause = yielder.yieldIfDue();
      if (pause !== undefined) await pause;
      current = tx;
      if (findsDuplicates) checkNew(view, tx);
      if (inputs === undefined) continue;
      transactions.push(prepareTransaction(view, rules, tx, inputs));
      tx.dropObjects();
    }
    current = undefined;
    if (inputs !== undefined)
      transactions.push(...prepareMinerTx(bundle.block.minerTx, inputs.packer));
    if (findsDuplicates) await checkSpentOnce(bundle.txs, yielder);
    const weight = blockWeight(bundle, known ? options.knownWeight?.(height) : undefined);
    const meta = blockMeta(view, rules, bundle, { difficulty, weight });
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    if (view.tree !== undefined) {
      const { id, minerTx } = bundle.block;
      await view.tree.grow(id, { height, minerTx, transactions: bundle.txs }, yielder);
    }
    const record = inSlices(blockRecordSteps(bundle, meta, options.commitToAmount), yielder);
    view.push(record instanceof Promise ? await record : record);
    const nextMedianWeight = view.weightState.effectiveMedian;
    return { height, bundle, difficulty, meta, transactions, known, nextMedianWeight };
  } catch (error) {
    throw located(error, height, current);
  }
}
