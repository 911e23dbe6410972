import { Yielder } from '@monero-node/base';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { bytesEqual, parseBlock, toHex, type ParsedTransaction } from '@monero-node/codec';
import {
  ConsensusError,
  LONG_TERM_WINDOW,
  LongTermMedian,
  type Network,
} from '@monero-node/consensus';
import type { VerificationPool } from '@monero-node/crypto';
import type { PowHasher } from '@monero-node/pow';
import type { BlockMeta, ChainReader, StoredTx } from '@monero-node/storage';
import { ChainView } from '../view/chain-view.ts';
import type { TreeRoots } from '../view/tree-roots.ts';
import { loadTreeRoots } from '../view/tree/load-tree.ts';
import type { CompleteBlock } from '../types.ts';
import { newCounters } from './counters.ts';
import { completeBlock } from './match-transactions.ts';
import { decoded, decodeStored } from '../view/stored-transaction.ts';
import { verifyBatch } from './verify-batch.ts';

/** Most blocks, and bytes of them, that are verified together. */
const MAX_BLOCKS = 100;
const MAX_BYTES = 8 * 1024 * 1024;

/** A fault of a stored block. */
export interface StoredFault {
  readonly height: number;
  /** Id of the transaction that is wrong, hex; undefined when it is the block. */
  readonly txId: string | undefined;
  /** A sentence. */
  readonly problem: string;
}

/** The blocks of a step: verified, or not verifiable because transactions of theirs are pruned. */
export interface VerifiedStep {
  /** Height of the first block that is not done yet. */
  readonly height: number;
  readonly verified: number;
  readonly pruned: number;
  readonly faults: readonly StoredFault[];
}

export interface VerifyStoredOptions {
  readonly network: Network;
  readonly store: ChainReader;
  readonly verifier: VerificationPool;
  /** Undefined: proof of work is not verified. */
  readonly pow: PowHasher | undefined;
  /** `G + amount·H`, 32 bytes. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  /** Unix seconds. */
  readonly now: () => number;
  /** Height of the first block. Genesis obeys no rules. */
  readonly from: number;
  /** Height after the last block. */
  readonly to: number;
}

const OPTIONS: OptionTable<VerifyStoredOptions> = {
  network: NEEDED,
  store: NEEDED,
  verifier: NEEDED,
  pow: OPTIONAL,
  commitToAmount: NEEDED,
  now: NEEDED,
  from: NEEDED,
  to: NEEDED,
};

/** A stored block, decoded. */
interface Stored {
  readonly bundle: CompleteBlock;
  readonly meta: BlockMeta;
  readonly isPruned: boolean;
}

/**
 * Verifies stored blocks again, as if they came in a synchronization: all rules of their forks, signatures, range proofs and, if
 * wanted, proof of work. Yields after each batch. A fault does not end it: the blocks above are verified on the stored chain.
 *
 * Throws StorageError, PowUnavailableError when no hasher works, and OptionError for a missing or an unknown option.
 */
export async function* verifyStored(options: VerifyStoredOptions): AsyncGenerator<VerifiedStep> {
  checkOptions('verifyStored', options, OPTIONS);
  const { store, to } = options;
  let height = Math.max(1, options.from);
  const metas = store.blockMetas(Math.max(0, height - LONG_TERM_WINDOW), height);
  const longTerm = LongTermMedian.from(metas.map((meta) => meta.longTermWeight));
  const treeRoots = await loadTreeRoots(options);
  while (height < to) {
    const step = await verifyFrom(options, height, { longTerm, treeRoots });
    for (const meta of store.blockMetas(height, step.height)) longTerm.push(meta.longTermWeight);
    height = step.height;
    yield step;
  }
}

/** What is known of the chain below a batch. */
interface Below {
  readonly longTerm: LongTermMedian;
  readonly treeRoots: TreeRoots;
}

/** Verifies the batch that begins at a height, up to its first fault. */
async function verifyFrom(
  options: VerifyStoredOptions,
  height: number,
  { longTerm, treeRoots }: Below,
): Promise<VerifiedStep> {
  const { blocks, fault } = await readBatch(options, height);
  const { network, store, verifier, pow, commitToAmount, now } = options;
  const view = new ChainView({
    network,
    store,
    now,
    commitToAmount,
    treeRoots,
    baseHeight: height,
    longTerm: longTerm.clone(),
  });
  const pruned = new Map(blocks.filter(({ isPruned }) => isPruned).map((b) => [b.meta.height, b]));
  const { good, failure } = await verifyBatch(
    view,
    blocks.map(({ bundle }) => bundle),
    {
      now: now(),
      commitToAmount,
      // The rest of a pruned block is checked; its proofs cannot be.
      knownId: (at) => pruned.get(at)?.meta.id,
      knownWeight: (at) => pruned.get(at)?.meta.weight,
    },
    { verifier, pow, counters: newCounters() },
  );
  const base = store.blockMeta(height - 1);
  const faults = good.flatMap(({ meta }, i) =>
    compareMeta(
      { stored: blocks[i]?.meta, computed: meta },
      { stored: blocks[i - 1]?.meta ?? base, computed: good[i - 1]?.meta ?? base },
    ),
  );
  if (failure !== undefined) faults.push(faultOf(failure, height + good.length));
  else if (fault !== undefined) faults.push(fault);
  const isCut = failure !== undefined || fault !== undefined;
  const known = good.filter((block) => block.known).length;
  return {
    height: height + good.length + (isCut ? 1 : 0),
    verified: good.length - known,
    pruned: known,
    faults,
  };
}

/** Reads blocks up to a limit, or up to the first that cannot be decoded. */
async function readBatch(
  { store, to }: VerifyStoredOptions,
  height: number,
): Promise<{ blocks: Stored[]; fault?: StoredFault }> {
  const yielder = new Yielder();
  const blocks: Stored[] = [];
  let bytes = 0;
  const end = Math.min(to, height + MAX_BLOCKS);
  for (let at = height; at < end && bytes < MAX_BYTES; at++) {
    try {
      const block = readBlock(store, at);
      blocks.push(block);
      bytes += block.meta.weight;
    } catch (error) {
      if (error instanceof ConsensusError) return { blocks, fault: faultOf(error, at) };
      throw error;
    }
    await yielder.yieldIfDue();
  }
  return { blocks };
}

/** Reads a block. Throws ConsensusError when its bytes are not what its id names. */
function readBlock(store: ChainReader, height: number): Stored {
  const blob = store.blockBlob(height);
  const meta = store.blockMeta(height);
  if (blob === undefined || meta === undefined) throw new ConsensusError('bad-block-blob');
  const block = decoded(() => parseBlock(blob));
  if (block === undefined || !bytesEqual(block.id, meta.id))
    throw new ConsensusError('bad-block-blob', 'the bytes have another hash than its id');
  const [, ...stored] = store.blockTxs(height);
  const { txHashes } = block.block;
  const txs = txHashes.map((id, i) => readTransaction(stored[i], id));
  return { bundle: completeBlock(block, txs), meta, isPruned: txs.some((tx) => tx.pruned) };
}

function readTransaction(stored: StoredTx | undefined, id: Uint8Array): ParsedTransaction {
  const txId = toHex(id);
  if (stored === undefined) throw new ConsensusError('missing-tx', txId, { txId });
  const tx = decodeStored(stored);
  if (tx !== undefined && bytesEqual(tx.id, id)) return tx;
  throw new ConsensusError('bad-tx-blob', 'the bytes have another hash than its id', { txId });
}

const faultOf = (error: ConsensusError, height: number): StoredFault => ({
  height: error.height ?? height,
  txId: error.txId,
  problem: error.message,
});

/** The figures of a block as they are stored, and as they were computed again. */
interface MetaPair {
  readonly stored: BlockMeta | undefined;
  readonly computed: BlockMeta | undefined;
}

/**
 * Compares the figures that were computed again with those stored. Running totals are compared by what the block adds to
 * them, so that a wrong one is not blamed on the blocks above.
 */
function compareMeta({ stored, computed }: MetaPair, before: MetaPair): StoredFault[] {
  if (stored === undefined || computed === undefined) return [];
  const problems: string[] = [];
  for (const name of ['weight', 'longTermWeight'] as const) {
    if (stored[name] === computed[name]) continue;
    problems.push(`${name} is ${stored[name]} and must be ${computed[name]}`);
  }
  for (const name of ['cumulativeDifficulty', 'generatedCoins'] as const) {
    const is = stored[name] - (before.stored?.[name] ?? 0n);
    const mustBe = computed[name] - (before.computed?.[name] ?? 0n);
    if (is !== mustBe) problems.push(`${name} grows by ${is} and must grow by ${mustBe}`);
  }
  return problems.map((problem) => ({ height: stored.height, txId: undefined, problem }));
}
