import type { Block } from '@monero-node/codec';
import type { ForkRules } from '@monero-node/consensus';

/** What the choice of transactions for a block depends on. */
export interface TemplateFrame {
  /** Of the block. */
  readonly rules: ForkRules;
  /** Half the weight limit. */
  readonly medianWeight: number;
  /** By all blocks below; atomic units. */
  readonly generatedCoins: bigint;
}

export interface ChosenTransactions {
  /** In the order of the block. */
  readonly ids: readonly Uint8Array[];
  /** Sum of their weights. */
  readonly weight: number;
  /** Atomic units. */
  readonly fees: bigint;
  /** Reward and fees as if the miner transaction weighed nothing; atomic units. */
  readonly expectedReward: bigint;
}

/** Where templates take their transactions from: the pool. */
export interface TransactionSource {
  /** Another number whenever the choice may be another. */
  readonly revision: number;
  /** The best transactions for a block, each good on the present tip. */
  choose(frame: TemplateFrame): Promise<ChosenTransactions>;
}

/** Who is paid and what is left free for the miner. */
export interface TemplateRequest {
  /** Keys of the miner's address, 32 bytes each. */
  readonly address: { readonly spendKey: Uint8Array; readonly viewKey: Uint8Array };
  /** Goes into the extra field of the miner transaction; at most 255 bytes; none when empty. */
  readonly extraNonce: Uint8Array;
  /** Id of the block to build on; the tip when absent. */
  readonly prevId?: Uint8Array | undefined;
}

/** A block that lacks only its proof of work. */
export interface BlockTemplate {
  readonly block: Block;
  readonly height: number;
  readonly difficulty: bigint;
  /** Reward and fees as if the miner transaction weighed nothing; atomic units. */
  readonly expectedReward: bigint;
  /** Weight of the block. */
  readonly weight: number;
  /** Public key of the miner transaction, 32 bytes; the extra nonce follows it. */
  readonly transactionKey: Uint8Array;
  /** Height of the RandomX seed block. */
  readonly seedHeight: number;
  /** Id of that block on the chain built on; absent where the proof of work is another. */
  readonly seedHash?: Uint8Array | undefined;
}

/** No template can be made; the message says why. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
