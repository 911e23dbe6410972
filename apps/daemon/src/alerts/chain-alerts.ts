import type { EventEmitter } from 'node:events';
import type { Logger } from '@monero-node/base';
import type { ChainEvents } from '@monero-node/blockchain';
import {
  finderName,
  foundSentence,
  type LedgerBlock,
  type LedgerEntry,
  type LedgerEvents,
} from '@monero-node/miner';
import type { AlertData } from './alert.ts';
import type { Alerts } from './alerts.ts';

/** Orphaned blocks that are remembered, in case they come back. */
const MOST_ORPHANS = 1000;

export interface ChainAlertSources {
  readonly blockchain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'>;
  /** The blocks that this node finds. */
  readonly ledger: Pick<EventEmitter<LedgerEvents>, 'on' | 'off'> & {
    readonly entries: readonly LedgerEntry[];
  };
  readonly alerts: Pick<Alerts, 'tell'>;
  readonly logger: Logger;
}

/** Raises alerts about deep reorganizations, and about the blocks that this node finds. */
export class ChainAlerts {
  readonly #depth: number;
  readonly #sources: ChainAlertSources;
  /** Ids of orphaned blocks of this node. */
  readonly #orphans = new Set<string>();

  /** @param depth blocks that a reorganization must remove to be told of */
  constructor(depth: number, sources: ChainAlertSources) {
    this.#depth = depth;
    this.#sources = sources;
  }

  /** Begins. The ledger must have started. */
  start(): Promise<void> {
    const { blockchain, ledger } = this.#sources;
    for (const { block, fate } of ledger.entries) if (fate === 'orphaned') this.#orphan(block);
    blockchain.on('reorg', this.#onReorg);
    ledger.on('found', this.#onFound);
    ledger.on('fate', this.#onFate);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    const { blockchain, ledger } = this.#sources;
    blockchain.off('reorg', this.#onReorg);
    ledger.off('found', this.#onFound);
    ledger.off('fate', this.#onFate);
    return Promise.resolve();
  }

  readonly #onReorg = (...[{ splitHeight, removed, added }]: ChainEvents['reorg']): void => {
    if (removed.length < this.#depth) return;
    const { alerts, logger } = this.#sources;
    const sentence = `Reorganization at height ${splitHeight}: ${removed.length} blocks were replaced by ${added}. Compare the top block with other nodes before you accept payments.`;
    logger.warn(sentence);
    alerts.tell('reorganization', sentence, {
      split_height: splitHeight,
      removed: removed.length,
      added,
    });
  };

  readonly #onFound = (...[{ block, fate }]: LedgerEvents['found']): void => {
    const { alerts } = this.#sources;
    if (fate !== 'orphaned') {
      alerts.tell('block-found', foundSentence(block), dataOf(block));
      return;
    }
    this.#orphan(block);
    alerts.tell('block-orphaned', `${foundSentence(block)} came too late`, dataOf(block));
  };

  readonly #onFate = (...[{ block, fate }]: LedgerEvents['fate']): void => {
    const { alerts } = this.#sources;
    const sentence = foundSentence(block);
    if (fate === 'orphaned') {
      this.#orphan(block);
      alerts.tell('block-orphaned', `${sentence} was orphaned`, dataOf(block));
    } else if (this.#orphans.delete(block.id))
      alerts.tell('block-restored', `${sentence} is in the main chain again`, dataOf(block));
  };

  #orphan({ id }: LedgerBlock): void {
    this.#orphans.add(id);
    if (this.#orphans.size <= MOST_ORPHANS) return;
    for (const oldest of this.#orphans) {
      this.#orphans.delete(oldest);
      return;
    }
  }
}

function dataOf({ height, id, finder, reward }: LedgerBlock): AlertData {
  return {
    height,
    block_id: id,
    finder: finderName(finder),
    // Atomic units do not fit into a number of every reader.
    reward: String(reward),
  };
}
