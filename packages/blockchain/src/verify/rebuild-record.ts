import { runAtOnce } from '@monero-node/base';
import {
  bytesEqual,
  parseBlock,
  toHex,
  type ParsedBlock,
  type ParsedTransaction,
} from '@monero-node/codec';
import {
  addGeneratedCoins,
  feeOf,
  rulesFor,
  transactionWeight,
  versionAtHeight,
  type Network,
} from '@monero-node/consensus';
import type { BlockContent, BlockMeta, BlockRecord, StoredTx } from '@monero-node/storage';
import type { CompleteBlock } from '../types.ts';
import { blockRecordSteps, countRctOutputs } from './block-record.ts';
import { completeBlock } from './match-transactions.ts';
import { decoded, decodeStored, decodeStoredBase } from '../view/stored-transaction.ts';

/** A stored block contradicts itself or the block below. */
export class StoredBlockError extends Error {
  override readonly name = 'StoredBlockError';
  readonly code = 'damaged';
  /** Table of the row that is wrong. */
  readonly table: 'block' | 'block_meta' | 'txs' | 'prunable';

  constructor(table: StoredBlockError['table'], message: string) {
    super(message);
    this.table = table;
  }
}

export interface RebuildContext {
  readonly network: Network;
  /** The record of the block below; undefined for genesis. */
  readonly below: BlockMeta | undefined;
  /** Returns the 32-byte commitment to an amount in atomic units. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
}

/**
 * Makes the record of a stored block again from the bytes of the block and its transactions. Of the stored figures it takes over
 * the cumulative difficulty and the long-term weight, and the weight when a transaction was pruned.
 *
 * Throws StoredBlockError when the bytes do not fit together, or to the block below.
 */
export function rebuildRecord(content: BlockContent, context: RebuildContext): BlockRecord {
  const { meta, blob } = content;
  const { below } = context;
  const block = parsedBlock(blob);
  const parent = below?.id ?? new Uint8Array(32);
  if (!bytesEqual(block.id, meta.id))
    throw new StoredBlockError('block', `hashes to ${toHex(block.id)}, not ${toHex(meta.id)}`);
  if (!bytesEqual(block.block.prevId, parent))
    throw new StoredBlockError(
      'block',
      `follows ${toHex(block.block.prevId)}, not the block below`,
    );
  if (meta.cumulativeDifficulty <= (below?.cumulativeDifficulty ?? 0n))
    throw new StoredBlockError(
      'block_meta',
      'has no more cumulative difficulty than the block below',
    );
  const txs = transactionsOf(block, content.txs);
  const bundle = completeBlock(block, txs);
  const figures = { ...meta, ...figuresOf(bundle, context, meta) };
  return runAtOnce(blockRecordSteps(bundle, figures, context.commitToAmount));
}

function parsedBlock(blob: Uint8Array): ParsedBlock {
  const block = decoded(() => parseBlock(blob));
  if (block === undefined) throw new StoredBlockError('block', 'is no block');
  return block;
}

function transactionsOf(block: ParsedBlock, stored: readonly StoredTx[]): ParsedTransaction[] {
  const [, ...others] = stored;
  const { txHashes } = block.block;
  if (others.length !== txHashes.length || stored.length === 0) {
    const counts = `${stored.length} transactions instead of ${txHashes.length + 1}`;
    throw new StoredBlockError('txs', `has ${counts}`);
  }
  return others.map((tx, i) => transactionOf(tx, txHashes[i] ?? new Uint8Array()));
}

function transactionOf(stored: StoredTx, id: Uint8Array): ParsedTransaction {
  const parsed = decodeStored(stored);
  if (parsed !== undefined && bytesEqual(parsed.id, id)) return parsed;
  // With a sound base form, the other part is the damaged one.
  const half = stored.dropped ? undefined : decodeStoredBase(stored);
  const table = half !== undefined && bytesEqual(half.id, id) ? 'prunable' : 'txs';
  throw new StoredBlockError(table, `does not hold transaction ${toHex(id)}`);
}

function figuresOf(
  bundle: CompleteBlock,
  { network, below }: RebuildContext,
  meta: BlockMeta,
): Partial<BlockMeta> {
  const { block, minerTx } = bundle.block;
  const rules = rulesFor(versionAtHeight(network, meta.height));
  const minted = minerTx.tx.outputs.reduce((sum, { amount }) => sum + amount, 0n);
  const fees = bundle.txs.reduce((sum, tx) => sum + feeOf(tx), 0n);
  const rctOutputs = countRctOutputs(bundle);
  const isWhole = !bundle.txs.some((tx) => tx.pruned);
  return {
    timestamp: block.timestamp,
    majorVersion: block.majorVersion,
    minorVersion: block.minorVersion,
    ...(isWhole && {
      weight: [minerTx, ...bundle.txs].reduce((sum, tx) => sum + transactionWeight(tx), 0),
    }),
    generatedCoins: addGeneratedCoins(below?.generatedCoins ?? 0n, minted - fees),
    cumulativeTxCount: (below?.cumulativeTxCount ?? 0) + bundle.txs.length,
    cumulativeRctOutputs: rules.cumulativeRctOutputs
      ? (below?.cumulativeRctOutputs ?? 0) + rctOutputs
      : rctOutputs,
  };
}
