import { toHex, type ParsedBlock } from '@monero-node/codec';
import {
  addGeneratedCoins,
  checkAlternativeHeight,
  checkBlockSize,
  checkCheckpoint,
  checkMinerTxShape,
  checkTimestampRange,
  checkTransaction,
  checkVersion,
  ConsensusError,
  NO_RING_SIGNATURES,
  rulesFor,
  transactionWeight,
  versionAtHeight,
  type Network,
} from '@monero-node/consensus';
import type { AltBlock, ChainReader } from '@monero-node/storage';
import { difficultyAfter } from '../view/next-difficulty.ts';
import type { SideChain } from '../view/side-chain.ts';
import type { PendingTransaction } from './prepare-block.ts';
import { powSource, type PowStatement } from './verify-pow.ts';
import type { CompleteBlock } from '../types.ts';

/** A side-chain block with a valid header, and its proof of work, still to be verified. */
export interface AlternativeHeader {
  readonly height: number;
  readonly cumulativeDifficulty: bigint;
  readonly pow: PowStatement;
}

export interface AlternativeContext {
  readonly network: Network;
  readonly store: ChainReader;
  /** Of the next block of the main chain: the limit for blobs of alternative blocks too. */
  readonly weightLimit: number;
  /** Unix seconds. */
  readonly now: number;
}

/** Returns the height in the miner transaction, or -1. */
function claimedHeight({ block }: ParsedBlock): number {
  const [input] = block.minerTx.inputs;
  return input?.kind === 'gen' ? input.height : -1;
}

/**
 * Checks the header of a block that builds on a side chain, or on a main-chain block below the top.
 *
 * Throws ConsensusError when a header rule is broken, and Error when the seed block of its height is unknown.
 * Source: handle_alternative_block in src/cryptonote_core/blockchain.cpp.
 */
export function checkAlternativeHeader(
  context: AlternativeContext,
  chain: SideChain,
  parsed: ParsedBlock,
): AlternativeHeader {
  const { network, store, now } = context;
  const { block, minerTx } = parsed;
  const { headers } = chain;
  const height = headers.height;
  checkBlockSize(parsed.blob.length, context.weightLimit, height);
  checkAlternativeHeight(network, height, store.height);
  checkVersion(network, height, block);
  checkTimestampRange(block.timestamp, chain.lowestTimestamp, height, now);
  checkCheckpoint(network, height, parsed.id);
  const difficulty = difficultyAfter(headers, network);
  const source = powSource(network, parsed, height, (at) => headers.idAt(at));
  if (claimedHeight(parsed) !== height) {
    throw new ConsensusError('miner-tx-height', `not ${height}`, { height });
  }
  checkMinerTxShape(rulesFor(versionAtHeight(network, height)), height, minerTx);
  const below = headers.top?.cumulativeDifficulty ?? 0n;
  return {
    height,
    cumulativeDifficulty: below + difficulty,
    pow: { height, difficulty, source },
  };
}

/**
 * Checks the rules of a side-chain block's transactions that do not depend on the chain, and returns the proofs
 * that are left to verify. Throws ConsensusError when a rule is broken.
 */
export function checkAlternativeTransactions(
  network: Network,
  height: number,
  bundle: CompleteBlock,
): PendingTransaction[] {
  const rules = rulesFor(versionAtHeight(network, height));
  return bundle.txs.map((tx) => {
    const txId = toHex(tx.id);
    const checks = checkTransaction(rules, tx, txId);
    return { txId, checks, ringSignatures: NO_RING_SIGNATURES, cached: false };
  });
}

/** Returns the record of a side-chain block for storage. */
export function alternativeBlock(
  chain: SideChain,
  header: AlternativeHeader,
  bundle: CompleteBlock,
): AltBlock {
  const { block, blob, id, minerTx } = bundle.block;
  const minted = minerTx.tx.outputs.reduce((sum, output) => sum + output.amount, 0n);
  return {
    id,
    height: header.height,
    prevId: block.prevId,
    cumulativeDifficulty: header.cumulativeDifficulty,
    weight: bundle.txs.reduce((sum, tx) => sum + transactionWeight(tx), transactionWeight(minerTx)),
    // An estimate, as in monerod: it includes fees.
    generatedCoins: addGeneratedCoins(chain.generatedCoins, minted),
    blob,
    txs: bundle.txs.map((tx) => tx.blob),
  };
}
