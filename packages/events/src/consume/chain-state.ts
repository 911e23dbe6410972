import { bytesEqual, DecodeError, toHex } from '@monero-node/codec';
import type { EventBlock } from '../messages/block-table.ts';
import type { ChainHandler, PlacedBlock, Position } from './handlers.ts';

/** A message or an answer does not continue the consumer's chain. */
export class NotContinuousError extends Error {
  override readonly name = 'NotContinuousError';
}

/** Most blocks, and most bytes of messages, that are applied together. */
const MAX_BLOCKS = 200;

/** The consumer's chain: checks that each change continues it, and hands it to the handler. */
export class ChainState {
  readonly #handler: ChainHandler;
  /** Blocks that are not applied yet. */
  #pending: PlacedBlock[] = [];
  #tip: Position | undefined;

  constructor(handler: ChainHandler) {
    this.#handler = handler;
  }

  /** Asks the handler where it is. */
  async load(): Promise<Position | undefined> {
    this.#pending = [];
    this.#tip = await this.#handler.tip();
    return this.#tip;
  }

  /** The newest block, including those that are not applied yet. */
  get tip(): Position | undefined {
    return this.#tip;
  }

  /** Adds a block; it is applied at the next flush at the latest. Throws NotContinuousError when it has another parent. */
  async add(block: EventBlock, sequence: number | undefined): Promise<void> {
    const tip = this.#tip;
    const follows =
      tip === undefined || (block.height === tip.height + 1 && bytesEqual(block.prev_id, tip.id));
    if (!follows) {
      throw new NotContinuousError(`block ${block.height} ${toHex(block.id)} has another parent`);
    }
    this.#tip = { height: block.height, id: block.id, sequence };
    this.#pending.push({ block, position: this.#tip });
    if (this.#pending.length >= MAX_BLOCKS) await this.flush();
  }

  /** Removes the newest block. Throws NotContinuousError when that is another one. */
  async remove(
    removed: { readonly height: number; readonly id: Uint8Array; readonly prev_id: Uint8Array },
    sequence: number,
  ): Promise<void> {
    await this.flush();
    if (this.#tip === undefined || !bytesEqual(removed.id, this.#tip.id)) {
      throw new NotContinuousError(
        `block ${removed.height} ${toHex(removed.id)} is not the newest`,
      );
    }
    if (removed.height === 0) throw new DecodeError('the first block cannot be removed');
    await this.#handler.revert({ height: removed.height, id: removed.id }, { sequence });
    this.#tip = { height: removed.height - 1, id: removed.prev_id, sequence };
  }

  /** Removes the newest block because no node has it any more. The handler knows its parent. */
  async dropTip(): Promise<void> {
    await this.flush();
    const tip = this.#tip;
    if (tip === undefined) return;
    await this.#handler.revert({ height: tip.height, id: tip.id }, {});
    await this.load();
  }

  /** Has all blocks so far applied. */
  async flush(): Promise<void> {
    const blocks = this.#pending;
    if (blocks.length === 0) return;
    this.#pending = [];
    if (this.#handler.applyMany) {
      await this.#handler.applyMany(blocks);
      return;
    }
    for (const { block, position } of blocks) await this.#handler.apply(block, position);
  }

  /** Applies all and calls the handler's `caughtUp`. */
  async caughtUp(): Promise<void> {
    await this.flush();
    await this.#handler.caughtUp?.(this.#tip);
  }
}
