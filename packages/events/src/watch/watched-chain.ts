import { DecodeError, fromHex } from '@monero-node/codec';
import { Trail, WatchError, type WatchPosition } from '@monero-node/rpc-client/watch';
import type { ChainHandler, Position } from '../consume/handlers.ts';
import type { EventBlock } from '../messages/block-table.ts';

/**
 * How far a program has followed a chain through a broker: plain data, for `JSON.stringify`. It is a position of `watchBlocks` too, so a
 * program may go on over RPC, and back.
 */
export interface StreamPosition extends WatchPosition {
  /** Sequence of the last message of the stream that is contained; absent while older blocks are filled in, and after RPC. */
  readonly sequence?: number | undefined;
}

/** What every event of a stream has. */
interface StreamEventFacts {
  readonly height: number;
  /** Id of the block, 32 bytes. */
  readonly id: Uint8Array;
  /** Where to go on after this event. */
  readonly position: StreamPosition;
}

/** A block was added to the chain. */
export interface StreamBlockApplied extends StreamEventFacts {
  readonly kind: 'applied';
  /** Facts of the block and its transactions. */
  readonly block: EventBlock;
  /** How many blocks there are from this one on, itself included, as far as is known. */
  readonly confirmations: number;
}

/** A block that was told is no longer in the chain: the one at the end. */
export interface StreamBlockReverted extends StreamEventFacts {
  readonly kind: 'reverted';
}

/** What `watchStream` tells. */
export type StreamEvent = StreamBlockApplied | StreamBlockReverted;

/** How a chain is watched. */
export interface WatchedChainRule {
  /** Blocks at the end of the chain that are not told yet. */
  readonly lag: number;
  /** Most blocks that a reorganization may replace. */
  readonly depth: number;
}

export interface WatchedChainDependencies {
  /** Takes an event; resolves when the program wants the next one. */
  readonly tell: (event: StreamEvent) => Promise<void>;
  /** Told of an error after which watching cannot go on. */
  readonly fail: (error: unknown) => void;
  /** Rejects with WatchError when no node has the first block of the position. */
  readonly compareGenesis: () => Promise<void>;
}

/** A block that is not told yet, with the sequence at which it was added. */
interface HeldBlock {
  readonly block: EventBlock;
  readonly sequence: number | undefined;
}

/** The chain of a program that takes events one by one. Blocks are told when enough others are above them. */
export class WatchedChain implements ChainHandler {
  readonly #rule: WatchedChainRule;
  readonly #deps: WatchedChainDependencies;
  /** All blocks, and those that were told. */
  readonly #all: Trail;
  readonly #told: Trail;
  readonly #held: HeldBlock[] = [];
  #sequence: number | undefined;
  #isCompared = false;

  constructor(
    start: StreamPosition,
    rule: WatchedChainRule,
    dependencies: WatchedChainDependencies,
  ) {
    this.#rule = rule;
    this.#deps = dependencies;
    this.#all = new Trail(start, rule.depth);
    this.#told = new Trail(start, rule.depth);
    this.#sequence = start.sequence;
  }

  tip(): Promise<Position | undefined> {
    const { height } = this.#all;
    const id = this.#all.idAt(height);
    if (id === undefined) return Promise.resolve(undefined);
    return Promise.resolve({ height, id: fromHex(id), sequence: this.#sequence });
  }

  async apply(block: EventBlock, { sequence }: Position): Promise<void> {
    this.#all.apply(block.id, workOf(block));
    this.#sequence = sequence;
    this.#held.push({ block, sequence });
    while (this.#held.length > this.#rule.lag) await this.#tellOldest();
  }

  async revert(
    { height, id }: Pick<Position, 'height' | 'id'>,
    { sequence }: Pick<Position, 'sequence'>,
  ): Promise<void> {
    // Without a message that removes it, the block is not in the chain of the nodes: nothing is taken back for another network.
    if (sequence === undefined) await this.#compare();
    if (this.#all.oldest >= height && height > 0) {
      const message = `a reorganization replaces block ${height} and more, which are forgotten`;
      throw this.#failed(new WatchError('too-deep', message));
    }
    this.#all.revert();
    this.#sequence = sequence;
    if (this.#held.pop() !== undefined) return;
    this.#told.revert();
    if (height < this.#told.from) return;
    await this.#deps.tell({ kind: 'reverted', height, id, position: this.#position(sequence) });
  }

  async #tellOldest(): Promise<void> {
    const oldest = this.#held.shift();
    if (oldest === undefined) return;
    const { block, sequence } = oldest;
    const { height, id } = block;
    this.#told.apply(id, workOf(block));
    if (height < this.#told.from) return;
    const confirmations = this.#all.height - height + 1;
    const position = this.#position(sequence);
    await this.#deps.tell({ kind: 'applied', height, id, block, confirmations, position });
  }

  #position(sequence: number | undefined): StreamPosition {
    const position = this.#told.position();
    return sequence === undefined ? position : { ...position, sequence };
  }

  async #compare(): Promise<void> {
    if (this.#isCompared) return;
    try {
      await this.#deps.compareGenesis();
    } catch (error) {
      throw error instanceof WatchError ? this.#failed(error) : error;
    }
    this.#isCompared = true;
  }

  #failed(error: WatchError): WatchError {
    this.#deps.fail(error);
    return error;
  }
}

/** Returns the work of the chain up to a block. Throws DecodeError for a text that is none. */
function workOf({ height, cumulative_difficulty: text }: EventBlock): bigint {
  if (!/^\d{1,39}$/.test(text))
    throw new DecodeError(`block ${height} without the work of its chain`);
  return BigInt(text);
}
