import type { EventEmitter } from 'node:events';
import type { ParsedBlock } from '@monero-node/codec';
import type { ConsensusError, Network } from '@monero-node/consensus';
import type { ChainChange, ChainReader, ChainWriter } from '@monero-node/storage';
import type { ChainView } from '../view/chain-view.ts';
import type { InvalidBlocks } from './invalid-blocks.ts';
import type { PrecomputedHashes } from '../verify/precomputed-hashes.ts';
import type { Logger } from '@monero-node/base';
import type { PreparedBlock, PrepareOptions } from '../verify/prepare-block.ts';
import type { GrownBlock } from '../view/tree/grown-blocks.ts';
import type { ChainTree } from '../view/tree/chain-tree.ts';
import type { TipState } from '../view/tip-state.ts';
import type { AddedBlock, AddBlockResult, ChainEvents } from '../types.ts';
import type { VerifiedTransactions } from '../verify/verified-transactions.ts';
import type { Verifiers } from '../verify/verify-batch.ts';

/** The dependencies and state shared by the classes that change the chain. */
export interface WriterContext {
  readonly network: Network;
  /** Unix seconds. */
  readonly now: () => number;
  /** Computes `G + amount·H`, 32 bytes. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  readonly store: ChainReader & ChainWriter;
  readonly tip: TipState;
  /** Undefined where the chain keeps no curve tree. */
  readonly tree: ChainTree | undefined;
  readonly invalid: InvalidBlocks;
  readonly verifiers: Verifiers;
  readonly verified: VerifiedTransactions;
  readonly precomputed: PrecomputedHashes;
  readonly logger: Logger;
  readonly emit: EventEmitter<ChainEvents>['emit'];
}

/** The outcome for a block whose proof of work must be verified (again) before it can be added. */
export const UNPROVEN = 'unproven';
export type Unproven = typeof UNPROVEN;

/** Returns the options for the rules of a block that comes now. */
export function prepareOptions(context: WriterContext): PrepareOptions {
  const { now, commitToAmount, verified, precomputed } = context;
  const knownId = (height: number) => precomputed.idAt(height);
  const knownWeight = (height: number) => precomputed.weightAt(height);
  return { now: now(), commitToAmount, verified, knownId, knownWeight };
}

/** Counts verified blocks and emits 'blocks-added'. Call it once they are stored. */
export function announce(context: WriterContext, blocks: readonly PreparedBlock[]): void {
  if (blocks.length === 0) return;
  const { counters } = context.verifiers;
  counters.blocks += blocks.length;
  counters.minerTxs += blocks.length;
  counters.known += blocks.filter(({ known }) => known).length;
  const added = blocks.map(({ height, bundle, meta, nextMedianWeight }): AddedBlock => ({
    height,
    bundle,
    meta,
    nextMedianWeight,
  }));
  context.emit('blocks-added', added);
}

/** Returns the result for a block that is known, to be good or invalid; undefined for another one. */
export function knownBlock(context: WriterContext, block: ParsedBlock): AddBlockResult | undefined {
  const { id } = block;
  if (context.store.heightOf(id) !== undefined) return { status: 'known', id };
  return knownOffChain(context, block);
}

/** Returns the same for a block that cannot be part of the main chain, because its parent is the top of it. */
export function knownOffChain(
  { store, invalid }: WriterContext,
  { id }: ParsedBlock,
): AddBlockResult | undefined {
  if (store.altBlock(id) !== undefined) return { status: 'known', id };
  const error = invalid.get(id);
  return error && { status: 'invalid', id, error };
}

/** Remembers a block, by its 32-byte id, that broke a rule, and returns the result for it. */
export function refuse(
  context: WriterContext,
  id: Uint8Array | undefined,
  error: ConsensusError,
): AddBlockResult {
  if (id === undefined) return { status: 'invalid', error };
  context.invalid.add(id, error);
  return { status: 'invalid', id, error };
}

/** Which blocks of a view are to be stored, and what else is with them. */
export interface Storing {
  /** Blocks pushed on the view before the first, which the store has by now; 0 when absent. */
  readonly first?: number;
  readonly count: number;
  /** Alternative blocks to store with them. */
  readonly put?: ChainChange['putAlt'];
  /** Ids of alternative blocks to remove with them, 32 bytes each. */
  readonly remove?: readonly Uint8Array[];
  /** See `ChainWriter.commit`. */
  readonly onQueued?: (() => void) | undefined;
}

/** Replaces the stored blocks at and above a height of `view` with blocks pushed on it, in one storage transaction. */
export async function storeView(
  context: WriterContext,
  view: ChainView,
  { first = 0, count, put, remove, onQueued }: Storing,
): Promise<void> {
  const { store, tip } = context;
  const base = view.headers.baseHeight + first;
  const append = view.records.slice(first, first + count);
  const popTo = base < store.height ? base : undefined;
  const longTerm = popTo === undefined ? undefined : tip.longTermAt(popTo);
  // A view without a tree has grown none: then blocks are only taken back, and the build of the tree catches up.
  const tree = context.tree?.changeFrom(base, grownBlocks(view, first, count));
  await store.commit({ popTo, append, putAlt: put, removeAlt: remove, tree }, onQueued);
  tip.moved(base, append, longTerm);
}

/** Returns what blocks pushed on a view have added to its curve tree. */
function grownBlocks(view: ChainView, first: number, count: number): readonly GrownBlock[] {
  return view.tree?.blocks.slice(first, first + count) ?? [];
}
