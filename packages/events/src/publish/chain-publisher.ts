import { Yielder } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { fromHex, toHex } from '@monero-node/codec';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { tipAfter, type EntryFacts, type StreamTip } from '../broker/entry-facts.ts';
import type { EventNames } from '../broker/names.ts';
import { chainStreamState, type Broker, type ChainStreamState } from '../broker/streams.ts';
import { encodeBlockAdded } from '../encoding/encode-block.ts';
import { encodeEvent, type Encoding } from '../encoding/encoding.ts';
import { blockFacts } from '../facts/block-facts.ts';
import { MESSAGE_VERSION } from '../messages/chain-message.ts';
import { LogAppender } from './log-appender.ts';
import { findRemovals, hasTip, parentOf, type Removal } from './removals.ts';

/** Blocks below the top that a new stream begins with, so that it reaches back over a reorganization. */
const FIRST_BLOCKS = 100;

export interface ChainPublisherOptions {
  readonly encoding: Encoding;
  /** Height of the first block of a new stream; 100 below the top when absent. */
  readonly from: number | undefined;
  /** Returns the longest payload, bytes, that the connected server takes. */
  readonly partBytes: () => number;
}

export interface ChainPublisherDependencies {
  readonly chain: Pick<Blockchain, 'store' | 'top' | 'height'>;
  readonly names: EventNames;
  readonly jetstream: JetStreamClient;
  readonly connection: Broker['connection'];
  readonly manager: JetStreamManager;
  /** Told the newest block of the stream, each time it is read or a message is stored; `isStored` in the second case. */
  readonly onTip?: (tip: StreamTip | undefined, isStored: boolean) => void;
}

/** Bytes of a message that its headers may take. */
const HEADER_BYTES = 1024;

/**
 * Makes the stream of a chain say what the chain is. The stream itself shows what is missing in it, so that nothing is
 * remembered or waits here. It follows the heaviest chain: a node whose chain has less work than the stream says leaves it
 * alone, so that nodes on different blocks do not undo each other's messages.
 */
export class ChainPublisher {
  readonly #options: ChainPublisherOptions;
  readonly #deps: ChainPublisherDependencies;

  constructor(options: ChainPublisherOptions, dependencies: ChainPublisherDependencies) {
    this.#options = options;
    this.#deps = dependencies;
  }

  /**
   * Publishes what the stream lacks. Resolves to whether the stream now ends with our newest block; false when it is ahead of
   * us. Rejects with StreamMovedError when another node was faster, and with other errors of the broker or the store.
   */
  async catchUp(signal: AbortSignal): Promise<boolean> {
    const { chain, names, jetstream, onTip } = this.#deps;
    const state = await chainStreamState(this.#deps, names);
    if (state === undefined) throw new Error(`the stream ${names.chainStream} is missing`);
    const partBytes = Math.min(
      this.#options.partBytes(),
      (state.maxMessageBytes ?? Infinity) - HEADER_BYTES,
    );
    onTip?.(state.tip, false);
    const log = new LogAppender(
      { subject: names.chainSubject, lastSequence: state.lastSequence, partBytes },
      {
        jetstream,
        onStored: (facts) => {
          if (facts.part + 1 === facts.parts) onTip?.(tipAfter(facts), true);
        },
      },
    );
    let { tip } = state;
    if (tip !== undefined && !hasTip(chain.store, tip)) {
      if (chain.top.cumulativeDifficulty <= tip.cumulativeDifficulty) return false;
      tip = await this.#remove(log, state);
    }
    await this.#add(log, tip, signal);
    await log.settle();
    return true;
  }

  /** Publishes removals down to a block of our chain; returns that block. */
  async #remove(log: LogAppender, state: ChainStreamState): Promise<StreamTip | undefined> {
    const { chain, names, manager } = this.#deps;
    const source = { store: chain.store, manager, stream: names.chainStream };
    let { tip } = state;
    for (const removal of await findRemovals(source, state)) {
      await this.#appendRemoval(log, removal);
      tip = parentOf(removal);
    }
    return tip;
  }

  async #appendRemoval(log: LogAppender, removal: Removal): Promise<void> {
    const { encoding } = this.#options;
    const { height, id, previous } = removal;
    const payload = encodeEvent(
      {
        version: MESSAGE_VERSION,
        type: 'block.removed',
        height,
        id: fromHex(id),
        prev_id: fromHex(previous),
      },
      encoding,
    );
    await log.append({ ...removal, type: 'block.removed', encoding }, payload);
  }

  /** Publishes the blocks above one, until there are no more or the chain is reorganized. */
  async #add(log: LogAppender, from: StreamTip | undefined, signal: AbortSignal): Promise<void> {
    const { store, height } = this.#deps.chain;
    const { encoding } = this.#options;
    const yielder = new Yielder();
    let previous = from?.id;
    let next = from ? from.height + 1 : (this.#options.from ?? Math.max(0, height - FIRST_BLOCKS));
    for (; next < this.#deps.chain.height && !signal.aborted; next++) {
      const block = await blockFacts(store, next, yielder);
      if (block === undefined) return;
      const facts: Omit<EntryFacts, 'part' | 'parts'> = {
        type: 'block.added',
        encoding,
        height: next,
        id: toHex(block.id),
        previous: toHex(block.prev_id),
        difficulty: BigInt(block.difficulty),
        cumulativeDifficulty: BigInt(block.cumulative_difficulty),
      };
      if (previous !== undefined && facts.previous !== previous) return;
      await log.append(facts, await encodeBlockAdded(block, encoding, yielder));
      previous = facts.id;
      await yielder.yieldIfDue();
    }
  }
}
