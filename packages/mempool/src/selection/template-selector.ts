import { Yielder } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import { TemplateError, type Blockchain } from '@monero-node/blockchain';
import { rulesFor } from '@monero-node/consensus';
import { fillBlock, type BlockFill, type BlockFrame } from './block-selection.ts';
import type { PoolEntry, PoolTransaction } from '../store/pool-entry.ts';
import type { PoolState } from '../store/pool-state.ts';
import type { TxReadiness } from './tx-readiness.ts';
import { isSelectable, type RelayMethod } from '../store/relay-method.ts';

/** Transactions for the next block, and the block it builds on. */
export interface BlockSelection extends BlockFill<PoolTransaction> {
  /** Height of the next block. */
  readonly height: number;
  /** Id of the block below, 32 bytes. */
  readonly prevId: Uint8Array;
}

/** Attempts to choose transactions before the tip moves again. */
const ATTEMPTS = 5;

export interface TemplateSelectorOptions {
  /** Whether templates may contain transactions in the stem phase. */
  readonly mineStemTransactions: boolean;
}

export interface TemplateSelectorDependencies {
  readonly chain: Pick<Blockchain, 'transactionVerifier' | 'nextVersion' | 'weightState'>;
  readonly state: PoolState;
  readonly readiness: TxReadiness;
}

/** Chooses the transactions of block templates. */
export class TemplateSelector {
  readonly #mineStem: boolean;
  readonly #chain: TemplateSelectorDependencies['chain'];
  readonly #state: PoolState;
  readonly #readiness: TxReadiness;

  constructor(
    { mineStemTransactions }: TemplateSelectorOptions,
    { chain, state, readiness }: TemplateSelectorDependencies,
  ) {
    this.#mineStem = mineStemTransactions;
    this.#chain = chain;
    this.#state = state;
    this.#readiness = readiness;
  }

  /**
   * Resolves to the transactions that make the best block, all valid on the present tip.
   *
   * Throws TemplateError when the tip keeps moving.
   *
   * @param frame of a block elsewhere; of the block on the tip by default
   * @param publicOnly leaves out transactions that the network does not know yet
   */
  async select(frame?: BlockFrame, publicOnly = false): Promise<BlockSelection> {
    const yielder = new Yielder();
    for (let attempt = 1; ; attempt++) {
      const { tip } = this.#chain.transactionVerifier;
      const fill = await fillBlock(
        this.#candidates(publicOnly),
        frame ?? this.#frameAtTip(tip.generatedCoins),
        (entry) => this.#readiness.checkInputs(entry) ?? this.#readiness.verify(entry),
        yielder,
      );
      const isCurrent = toHex(tip.id) === toHex(this.#chain.transactionVerifier.tip.id);
      const all = fill.transactions.every((entry) => this.#state.get(toHex(entry.id)) === entry);
      if (isCurrent && all) return { ...fill, height: tip.height + 1, prevId: tip.id };
      if (attempt === ATTEMPTS) throw new TemplateError('tip-moved', 'the chain tip keeps moving');
    }
  }

  /** Best paid first. Only a block full of them is looked at, whatever the size of the pool. */
  *#candidates(publicOnly: boolean): Generator<PoolEntry, void> {
    for (const entry of this.#state.byFee) {
      if (publicOnly ? entry.broadcast : this.#mayBeMined(entry.relay)) yield entry;
    }
  }

  #frameAtTip(generatedCoins: bigint): BlockFrame {
    const rules = rulesFor(this.#chain.nextVersion());
    return { rules, medianWeight: this.#chain.weightState().effectiveMedian, generatedCoins };
  }

  #mayBeMined(relay: RelayMethod): boolean {
    return isSelectable(relay) || (relay === 'stem' && this.#mineStem);
  }
}
