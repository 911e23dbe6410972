import { groupedDigits } from '@monero-node/base';

/** The kinds of finders: the built-in miner, a rig, a program that called `submit_block`, and the call `generateblocks`. */
export const FINDER_KINDS = ['miner', 'rig', 'submit_block', 'generateblocks'] as const;

/** How a block was found. */
export type FinderKind = (typeof FINDER_KINDS)[number];

/** Who has found a block. */
export interface Finder {
  readonly kind: FinderKind;
  /** Name of the rig; empty for other kinds. */
  readonly rig: string;
}

/** A block that this node has found. */
export interface LedgerBlock {
  readonly height: number;
  /** 64 hex digits. */
  readonly id: string;
  readonly finder: Finder;
  /** Reward and fees, atomic units. */
  readonly reward: bigint;
  /** The difficulty that it met. */
  readonly difficulty: bigint;
  /**
   * Hashes of the miner and the rigs since the block that they found before, as shares show them; undefined where others than
   * they found it.
   */
  readonly hashes: number | undefined;
  /** Unix seconds at which it was found. */
  readonly foundAt: number;
}

/**
 * What may become of a block of this node:
 * - `pending`: in the main chain, not deep yet; or the chain does not reach its height at present;
 * - `confirmed`: as deep as wallets want before they spend other coins;
 * - `unlocked`: its coins can be spent;
 * - `orphaned`: another block has its place in the main chain.
 */
export const LEDGER_FATES = ['pending', 'confirmed', 'unlocked', 'orphaned'] as const;

/** What has become of a block. */
export type LedgerFate = (typeof LEDGER_FATES)[number];

/** A block of the ledger, and what has become of it. */
export interface LedgerEntry {
  readonly block: LedgerBlock;
  readonly fate: LedgerFate;
}

/** Returns who has found a block, as a sentence calls them. */
export function finderName({ kind, rig }: Finder): string {
  switch (kind) {
    case 'miner':
      return 'the built-in miner';
    case 'rig':
      return rig;
    case 'submit_block':
    case 'generateblocks':
      return kind;
  }
}

/** Returns who has found which block, as the log says it; without the end of the sentence. */
export function foundSentence({ height, finder }: LedgerBlock): string {
  return `Block ${groupedDigits(height)} found by ${finderName(finder)}`;
}

/** Returns the hashes that a block took over those that one of its difficulty takes on average; undefined where they were not counted. */
export function effortOf({ hashes, difficulty }: LedgerBlock): number | undefined {
  return hashes === undefined ? undefined : hashes / Number(difficulty);
}
