import type { BlockTemplate } from '@monero-node/blockchain';

/** A block that a rig has found. */
export interface FoundBlock {
  readonly blob: Uint8Array;
  readonly template: BlockTemplate;
  /** Name of the rig. */
  readonly rig: string;
}

/** What became of it: in the main chain, on a side chain, or refused by the chain. */
export type BlockFate = 'added' | 'alternative' | 'refused';
