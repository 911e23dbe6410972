import type { Block } from '@monero-node/codec';
import type { ForkRules, PowRule } from '@monero-node/consensus';

/** The properties of a block that decide which transactions it may take. */
export interface TemplateFrame {
  /** The rules of the block. */
  readonly rules: ForkRules;
  /** Half the weight limit. */
  readonly medianWeight: number;
  /** By all blocks below, atomic units. */
  readonly generatedCoins: bigint;
}

export interface ChosenTransactions {
  /** 32 bytes each, in the order of the block. */
  readonly ids: readonly Uint8Array[];
  /** Sum of their weights. */
  readonly weight: number;
  /** Atomic units. */
  readonly fees: bigint;
  /** Reward and fees as if the miner transaction weighed nothing, atomic units. */
  readonly expectedReward: bigint;
}

/** The source of the transactions in templates: the pool. */
export interface TransactionSource {
  /** Changes whenever the choice may change. */
  readonly revision: number;
  /**
   * Chooses the best transactions for a block, each valid on the current tip.
   *
   * @param publicOnly leaves out those that the network does not know yet
   */
  choose(frame: TemplateFrame, publicOnly?: boolean): Promise<ChosenTransactions>;
}

/** The recipient of a template's reward, the miner's extra nonce, and the block to build on. */
export interface TemplateRequest {
  /** Keys of the miner's address, 32 bytes each. monerod makes no blocks for subaddresses, and neither do its pools. */
  readonly address: {
    readonly spendKey: Uint8Array;
    readonly viewKey: Uint8Array;
    /** False when absent. */
    readonly isSubaddress?: boolean;
  };
  /** Bytes for the extra field of the miner transaction, at most 255. */
  readonly extraNonce: Uint8Array;
  /** Id of the block to build on; the tip when absent. */
  readonly prevId?: Uint8Array | undefined;
  /** Whether to leave out transactions that the network does not know yet; false when absent. */
  readonly publicOnly?: boolean;
}

/** A block that lacks only its proof of work. */
export interface BlockTemplate {
  readonly block: Block;
  readonly height: number;
  readonly difficulty: bigint;
  /** Reward and fees as if the miner transaction weighed nothing, atomic units. */
  readonly expectedReward: bigint;
  /** Fees of the block's transactions, atomic units. */
  readonly fees: bigint;
  /** Weight of the block. */
  readonly weight: number;
  /** Public key of the miner transaction, 32 bytes; the extra nonce follows it. */
  readonly transactionKey: Uint8Array;
  /** What proves its work. */
  readonly pow: PowRule;
  /** Height of the RandomX seed block. */
  readonly seedHeight: number;
  /** Id of that block on the same chain, 32 bytes; absent when the proof of work is not RandomX. */
  readonly seedHash?: Uint8Array | undefined;
}

/** Why there is no template, or no block of one. */
export type TemplateErrorCode =
  /** The chain keeps changing; trying again may help. */
  | 'tip-moved'
  /** The block to build on, or its seed block, is not known. */
  | 'unknown-block'
  /** A key of the address is not a point. */
  | 'address'
  /** The extra nonce is too long. */
  | 'extra-nonce'
  /** The rules of the fork let no such block be made; `cause` may be the rule. */
  | 'rules'
  /** No nonce meets the difficulty. */
  | 'no-nonce'
  /** The chain did not take the block. */
  | 'not-taken'
  /** This node makes no templates. */
  | 'not-served';

/** Thrown when no template can be made; the message says why. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly code: TemplateErrorCode;

  constructor(code: TemplateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
