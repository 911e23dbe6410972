import {
  ConsensusError,
  isRandomxAlgorithm,
  median,
  newestVersion,
  powRuleOf,
  rulesFor,
  TIMESTAMP_WINDOW,
  versionAtHeight,
  type Network,
  type PowRule,
  type WeightState,
} from '@monero-node/consensus';
import type { CryptoBackend } from '@monero-node/crypto';
import { seedHeight } from '@monero-node/pow';
import type { BlockMeta, ChainReader } from '@monero-node/storage';
import { difficultyAfter } from '../view/next-difficulty.ts';
import { readSideChain } from '../view/side-chain.ts';
import { TemplateError, type TemplateFrame } from './template-types.ts';
import type { TreeRoots } from '../view/tree-roots.ts';

/** The parts of the chain that templates read. */
export interface TemplateChain {
  readonly network: Network;
  readonly store: ChainReader;
  /** Number of blocks. */
  readonly height: number;
  readonly top: BlockMeta;
  readonly backend: Pick<CryptoBackend, 'addMultiples'>;
  readonly treeRoots: TreeRoots;
  nextDifficulty(): bigint;
  weightState(): WeightState;
}

/** The position of a new block on its chain, and the rules for it. */
export interface TemplateBase extends TemplateFrame {
  readonly height: number;
  /** 32 bytes. */
  readonly prevId: Uint8Array;
  readonly majorVersion: number;
  readonly minorVersion: number;
  readonly difficulty: bigint;
  readonly pow: PowRule;
  readonly seedHeight: number;
  readonly seedHash?: Uint8Array;
}

/**
 * Returns the base of a block on top of the chain.
 *
 * Throws TemplateError when the seed block is unknown or the difficulty does not fit 128 bits.
 */
export function baseAtTip(chain: TemplateChain): TemplateBase {
  const { height, top, store, network } = chain;
  return {
    ...versions(network, height),
    ...seed(network, height, (at) => store.blockMeta(at)?.id),
    height,
    prevId: top.id,
    difficulty: overflowing(() => chain.nextDifficulty()),
    medianWeight: chain.weightState().effectiveMedian,
    generatedCoins: top.generatedCoins,
  };
}

/**
 * Returns the base of a block on top of any known block. The weight of the parent replaces the median of its chain;
 * 95 % of that weight if the parent is on a side chain.
 *
 * Throws TemplateError when the parent or the seed block is unknown, or the difficulty does not fit 128 bits.
 * Source: create_block_template in src/cryptonote_core/blockchain.cpp.
 *
 * @param parentId 32 bytes
 */
export async function baseOn(chain: TemplateChain, parentId: Uint8Array): Promise<TemplateBase> {
  const { store, network } = chain;
  const branch = await readSideChain(store, parentId);
  if (branch === undefined)
    throw new TemplateError('unknown-block', 'the block to build on is unknown');
  const { headers } = branch;
  const { height } = headers;
  return {
    ...versions(network, height),
    ...seed(network, height, (at) => headers.idAt(at)),
    height,
    prevId: parentId,
    difficulty: overflowing(() => difficultyAfter(headers, network)),
    ...parentWeight(store, store.altBlock(parentId), height - 1),
  };
}

function parentWeight(
  store: ChainReader,
  alternative: { readonly weight: number; readonly generatedCoins: bigint } | undefined,
  height: number,
): { medianWeight: number; generatedCoins: bigint } {
  if (alternative !== undefined) {
    const { weight, generatedCoins } = alternative;
    return { medianWeight: weight - Math.floor(weight / 20), generatedCoins };
  }
  const parent = store.blockMeta(height);
  if (parent === undefined)
    throw new TemplateError('unknown-block', 'the block to build on is gone');
  return { medianWeight: parent.weight, generatedCoins: parent.generatedCoins };
}

function versions(network: Network, height: number) {
  const majorVersion = versionAtHeight(network, height);
  const minorVersion = newestVersion(network);
  return { majorVersion, minorVersion, rules: rulesFor(majorVersion) };
}

function seed(network: Network, height: number, idAt: (height: number) => Uint8Array | undefined) {
  const at = seedHeight(height);
  const pow = powRuleOf(network, versionAtHeight(network, height));
  if (!isRandomxAlgorithm(pow.algorithm)) return { pow, seedHeight: at };
  const seedHash = idAt(at);
  if (seedHash === undefined) throw new TemplateError('unknown-block', 'the seed block is unknown');
  return { pow, seedHeight: at, seedHash };
}

function overflowing(difficulty: () => bigint): bigint {
  try {
    return difficulty();
  } catch (error) {
    if (error instanceof ConsensusError)
      throw new TemplateError('rules', error.message, { cause: error });
    throw error;
  }
}

/**
 * Returns the timestamp of a new block, Unix seconds: the clock, or the median of the newest 60 blocks of the main
 * chain if that is later, as no block may be older.
 *
 * @param now Unix seconds
 */
export function templateTimestamp({ store }: TemplateChain, now: number): number {
  const recent = store.blockMetas(Math.max(0, store.height - TIMESTAMP_WINDOW), store.height);
  if (recent.length < TIMESTAMP_WINDOW) return now;
  return Math.max(now, median(recent.map(({ timestamp }) => timestamp)));
}
