import { toHex } from '@monero-node/codec';
import {
  addGeneratedCoins,
  checkAlternativeHeight,
  checkMinerTxShape,
  checkTimestamp,
  checkTransaction,
  checkVersion,
  ConsensusError,
  NO_RING_SIGNATURES,
  rulesFor,
  TIMESTAMP_WINDOW,
  transactionWeight,
  versionAtHeight,
  type Network,
} from '@monero-node/consensus';
import type { AltBlock, ChainReader } from '@monero-node/storage';
import type { AlternativeChain } from '../view/alternative-chain.ts';
import { alternativeHeaders } from '../view/alternative-headers.ts';
import type { HeaderChain } from '../view/header-chain.ts';
import { difficultyAfter } from '../view/next-difficulty.ts';
import type { PendingTransaction } from './prepare-block.ts';
import { powSource, type PowStatement } from './verify-pow.ts';
import type { PartialBundle } from './match-transactions.ts';
import type { ParsedBundle } from '../types.ts';

/** A side-chain block whose header is right, with the proof of work still to be verified. */
export interface AlternativeHeader {
  readonly height: number;
  readonly cumulativeDifficulty: bigint;
  readonly pow: PowStatement;
}

export interface AlternativeContext {
  readonly network: Network;
  readonly store: ChainReader;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Timestamps that the median of a side-chain block is taken from: all of the side chain, filled
 * up to 60 from the main chain, never with genesis (upstream complete_timestamps_vector).
 */
function alternativeTimestamps(headers: HeaderChain): number[] {
  const own = headers.pushed.length;
  const wanted = Math.max(own, Math.min(TIMESTAMP_WINDOW, headers.height - 1));
  return headers.tail(wanted).map((header) => header.timestamp);
}

/** The height that the coinbase claims, or -1. */
function claimedHeight(partial: PartialBundle): number {
  const [input] = partial.block.block.minerTx.inputs;
  return input?.kind === 'gen' ? input.height : -1;
}

/**
 * Header rules of a block that builds on a side chain, or on a main-chain block below the top
 * (upstream blockchain.cpp, handle_alternative_block).
 *
 * @throws ConsensusError
 */
export function checkAlternativeHeader(
  context: AlternativeContext,
  chain: AlternativeChain,
  partial: PartialBundle,
): AlternativeHeader {
  const { network, store, now } = context;
  const { block, minerTx } = partial.block;
  const headers = alternativeHeaders(store, chain);
  const height = headers.height;
  checkAlternativeHeight(network, height, store.height);
  checkVersion(network, height, block);
  const timestamps = alternativeTimestamps(headers);
  checkTimestamp(block.timestamp, timestamps, timestamps.length, now);
  const difficulty = difficultyAfter(headers, network);
  const source = powSource(partial.block, height, (at) => headers.idAt(at));
  if (claimedHeight(partial) !== height) {
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

/** The rules of a side-chain block's transactions that need no chain; their proofs are returned. */
export function checkAlternativeTransactions(
  network: Network,
  height: number,
  bundle: ParsedBundle,
): PendingTransaction[] {
  const rules = rulesFor(versionAtHeight(network, height));
  return bundle.txs.map((tx) => {
    const txId = toHex(tx.id);
    const checks = checkTransaction(rules, tx, txId);
    return { txId, checks, ringSignatures: NO_RING_SIGNATURES, cached: false };
  });
}

/** What storage keeps of a side-chain block. */
export function alternativeBlock(
  store: ChainReader,
  chain: AlternativeChain,
  header: AlternativeHeader,
  bundle: ParsedBundle,
): AltBlock {
  const { block, blob, id, minerTx } = bundle.block;
  const generatedBelow =
    chain.blocks.at(-1)?.generatedCoins ??
    store.blockMeta(chain.splitHeight - 1)?.generatedCoins ??
    0n;
  const minted = minerTx.tx.outputs.reduce((sum, output) => sum + output.amount, 0n);
  return {
    id,
    height: header.height,
    prevId: block.prevId,
    cumulativeDifficulty: header.cumulativeDifficulty,
    weight: bundle.txs.reduce((sum, tx) => sum + transactionWeight(tx), transactionWeight(minerTx)),
    // An estimate, as upstream's: fees are counted in.
    generatedCoins: addGeneratedCoins(generatedBelow, minted),
    blob,
    txs: bundle.txs.map((tx) => tx.blob),
  };
}
