import { BoundedMap } from '@monero-node/base';
import { sideBlock, type BlockBundle } from '@monero-node/blockchain';
import { fromHex, parseBlock, parseBlockHeader, toHex } from '@monero-node/codec';
import type { BlockMeta, ChainReader } from '@monero-node/storage';
import { eventMessage, type Position } from './message.ts';

/** Most blocks that a client is told of at a time: some milliseconds of work. */
const MOST_ADDED = 100;
/** The same of removed blocks, which are read with their transactions. */
const MOST_REMOVED = 10;
/** Blocks below the top from which a client may go on; about two weeks. Whoever was away for longer asks for headers. */
export const MOST_BEHIND = 10_000;
/** Removed blocks whose parents are remembered: those that are popped are kept on no side chain. */
const MOST_REMEMBERED = 10_000;

/** The part of the store that is read. */
type Store = Pick<ChainReader, 'height' | 'blockMeta' | 'blockMetas' | 'altBlock' | 'heightOf'>;

/** Where the parents of blocks that have left the chain come from. */
interface Removed {
  readonly height: number;
  /** Id of the parent, 64 hex digits. */
  readonly previous: string;
}

/** Why a client goes on at another block than it asked for. */
type PositionReason = 'new' | 'unknown' | 'too-old';

/** Messages, and what the client has got with them. */
export interface FedBlocks {
  readonly messages: Uint8Array[];
  readonly position: Position;
}

/**
 * Tells what leads from a block that a client has to the newest one: the blocks that are no longer in the chain, newest first, then
 * those that are. All is read from the chain at that time, so nothing waits for a client.
 */
export class ChainFeed {
  readonly #store: Store;
  readonly #removed = new BoundedMap<string, Removed>(MOST_REMEMBERED);

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Remembers blocks that have left the chain.
   *
   * @param from height of the first
   * @param removed in the order of the chain
   */
  forget(from: number, removed: readonly BlockBundle[]): void {
    const parents = removed.map(({ block }) => toHex(parseBlockHeader(block).prevId));
    const last = removed.at(-1);
    const ids = [...parents.slice(1), ...(last ? [toHex(parseBlock(last.block).id)] : [])];
    for (const [i, previous] of parents.entries())
      this.#removed.set(ids[i] ?? '', { height: from + i, previous });
  }

  /** Returns the block that the chain has at a height; undefined when it has none there. */
  at(height: number): Position | undefined {
    const meta = this.#store.blockMeta(height);
    return meta && positionOf(meta);
  }

  /** Returns the newest block, and what tells a client that it goes on from there. */
  fromTop(reason: PositionReason): FedBlocks {
    const position = this.at(this.#store.height - 1);
    if (position === undefined) throw new Error('the chain has no block');
    const data = { height: position.height, id: position.id, reason };
    return { messages: [eventMessage('position', data, position)], position };
  }

  /** Returns the next events for a client; no message when it has the newest block. */
  after(position: Position): FedBlocks {
    const messages: Uint8Array[] = [];
    for (let at = position; ;) {
      const added = this.#added(at);
      if (added !== undefined) {
        if (added.isTooOld) return this.fromTop('too-old');
        return { messages: [...messages, ...added.messages], position: added.position };
      }
      const removed = this.#parentOf(at);
      if (removed === undefined) {
        const top = this.fromTop('unknown');
        return { messages: [...messages, ...top.messages], position: top.position };
      }
      const parent = { height: at.height - 1, id: removed.previous };
      const data = { height: at.height, id: at.id, prev_id: parent.id };
      messages.push(eventMessage('block.removed', data, parent));
      at = parent;
      if (messages.length >= MOST_REMOVED) return { messages, position: at };
    }
  }

  /** Returns the blocks above one; undefined when that is not in the chain. */
  #added(at: Position): (FedBlocks & { readonly isTooOld: boolean }) | undefined {
    const to = at.height + 1 + MOST_ADDED;
    const [own, ...metas] = this.#store.blockMetas(at.height, to);
    if (own === undefined || toHex(own.id) !== at.id) return undefined;
    const isTooOld = this.#store.height - 1 - at.height > MOST_BEHIND;
    const messages: Uint8Array[] = [];
    let previous = own;
    for (const meta of metas) {
      messages.push(addedMessage(meta, previous));
      previous = meta;
    }
    return { messages, position: positionOf(previous), isTooOld };
  }

  /** Returns the parent of a block that is not in the chain; undefined when it is not known to have this height. */
  #parentOf({ height, id }: Position): Removed | undefined {
    const known = this.#removed.get(id) ?? this.#fromSideChain(id);
    return known?.height === height && height > 0 ? known : undefined;
  }

  #fromSideChain(id: string): Removed | undefined {
    const side = sideBlock(this.#store, fromHex(id));
    return side && { height: side.height, previous: toHex(side.previous) };
  }
}

const positionOf = ({ height, id }: BlockMeta): Position => ({ height, id: toHex(id) });

/** Returns the event of a block, with the names and the forms of the messages on NATS. */
function addedMessage(meta: BlockMeta, previous: BlockMeta): Uint8Array {
  const position = positionOf(meta);
  const data = {
    height: position.height,
    id: position.id,
    prev_id: toHex(previous.id),
    timestamp: meta.timestamp,
    major_version: meta.majorVersion,
    minor_version: meta.minorVersion,
    weight: meta.weight,
    long_term_weight: meta.longTermWeight,
    difficulty: String(meta.cumulativeDifficulty - previous.cumulativeDifficulty),
    cumulative_difficulty: String(meta.cumulativeDifficulty),
    generated_coins: String(meta.generatedCoins),
    total_txs: meta.cumulativeTxCount,
    num_txes: meta.cumulativeTxCount - previous.cumulativeTxCount,
  };
  return eventMessage('block.added', data, position);
}
