import { checkOptions } from '@monero-node/base/options';
import { fromHex } from '@monero-node/codec/bytes';
import type { ParsedBlock } from '@monero-node/codec';
import type { BlockEntry } from '@monero-node/rpc-schema';
import { Follower } from './follower.ts';
import { NodeSet } from './node-set.ts';
import type { WatchPosition } from './position.ts';
import { Wakes } from './wakes.ts';
import {
  chainRule,
  followed,
  type Followed,
  WATCH_BLOCKS_OPTIONS,
  type WatchBlocksOptions,
} from './watch-options.ts';

/** What every event of a chain has. */
export interface ChainEvent {
  readonly height: number;
  /** Id of the block, 32 bytes. */
  readonly id: Uint8Array;
  /** Where to go on after this event. */
  readonly position: WatchPosition;
}

/** A block was added to the chain. */
export interface BlockApplied extends ChainEvent {
  readonly kind: 'applied';
  readonly block: ParsedBlock;
  /** The bytes of the block and of its transactions, pruned, as `/get_blocks.bin` has them. */
  readonly entry: BlockEntry;
  /** How many blocks there are from this one on, itself included, as far as is known. */
  readonly confirmations: number;
}

/** A block that was told is no longer in the chain: the one at the end. */
export interface BlockReverted extends ChainEvent {
  readonly kind: 'reverted';
}

/** What {@link watchBlocks} tells. */
export type BlockEvent = BlockApplied | BlockReverted;

/**
 * Follows the chain: returns the blocks from a height on, as they come, and those that a reorganization takes away, the newest first.
 *
 * Of several nodes the one with the most work is followed. A block is taken away only for a chain with more work, so that a node that
 * lags or is on a side chain changes nothing, also while it is the only one that answers. Work is what nodes say: no proof of it is checked,
 * so follow nodes that you trust.
 *
 * A node that fails is told to `onTrouble` and asked again. The next blocks are read when the events of the last ones were taken: 500 at
 * most are in memory, and 4500 during a reorganization. Leaving the loop ends it.
 *
 * Throws OptionError for an unknown option, RangeError for numbers out of bounds, and WatchError with the code `bad-position`. The iterator
 * rejects with the reason of the signal; with WatchError when the nodes have another chain or a reorganization is too deep; and with an
 * error of the client when each node refuses for good, such as RpcLoginError.
 */
export function watchBlocks(options: WatchBlocksOptions): AsyncGenerator<BlockEvent, void, void> {
  checkOptions('watchBlocks', options, WATCH_BLOCKS_OPTIONS);
  const nodes = followed(options);
  const rule = chainRule(options);
  const follower = new Follower(nodes, rule, new NodeSet(nodes));
  return blockEvents(follower, nodes);
}

async function* blockEvents(
  follower: Follower,
  { interval, signal, wakes, onTrouble }: Followed,
): AsyncGenerator<BlockEvent, void, void> {
  const waiting = new Wakes(wakes, interval, signal, (error) => {
    onTrouble({ node: undefined, error });
  });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { steps, work } = await follower.look();
      for (const step of steps) {
        signal.throwIfAborted();
        const { position, id, isTold } = follower.take(step, work);
        if (!isTold) continue;
        if (step.kind === 'reverted') {
          yield { kind: 'reverted', height: step.height, id: fromHex(id), position };
          continue;
        }
        const { height, parsed: block, entry } = step.block;
        const confirmations = step.tip - height + 1;
        yield { kind: 'applied', height, id: block.id, block, entry, confirmations, position };
      }
      if (steps.length === 0) await waiting.next();
    }
  } finally {
    waiting.close();
  }
}
