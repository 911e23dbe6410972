import { NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { assertTimeout } from '../call-options.ts';
import { ChainNode, type WatchedClient } from './chain-node.ts';
import { MOST_REMEMBERED, readPosition, type WatchPosition } from './position.ts';

/** A node that did not answer, or not as it should. */
export interface WatchTrouble {
  /** The number of the node in the list that was given, from 0; undefined for `wakes`, and for what all of them do. */
  readonly node: number | undefined;
  readonly error: unknown;
}

/** Options of everything that follows a chain or a pool. */
export interface FollowOptions {
  /** A client of a node, or of several: the one with the most work is followed, and the others stand in for it. */
  readonly client: WatchedClient | readonly WatchedClient[];
  /** Milliseconds between two looks at the nodes; 5000 by default. */
  readonly interval?: number | undefined;
  /**
   * Whatever knows sooner that there is something new: each item ends the wait of an `interval`, but ten times a second at most.
   * `serverEvents` or the notifications of ZeroMQ can be one. What the items are does not matter. When it ends or fails, looking goes on.
   */
  readonly wakes?: AsyncIterable<unknown> | undefined;
  /** Ends following, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of each call; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** Is told of each failure that may pass, such as a node that is away: following goes on meanwhile. */
  readonly onTrouble?: ((trouble: WatchTrouble) => void) | undefined;
}

/** Options of {@link watchBlocks}. */
export interface WatchBlocksOptions extends FollowOptions {
  /** Where to go on: that of an event. Checked, for it comes from a store. */
  readonly position?: WatchPosition | undefined;
  /** The height of the first block to tell, when there is no position; by default that of the next block to come. */
  readonly from?: number | undefined;
  /** How many blocks must there be from a block on, itself included, before it is told; 1 by default. */
  readonly confirmations?: number | undefined;
  /** Most blocks that a reorganization may replace, 1 to 1000; 100 by default. A deeper one is a WatchError. */
  readonly depth?: number | undefined;
}

/** The names of {@link FollowOptions}. */
export const FOLLOW_OPTIONS: OptionTable<FollowOptions> = {
  client: NEEDED,
  interval: OPTIONAL,
  wakes: OPTIONAL,
  signal: OPTIONAL,
  timeout: OPTIONAL,
  onTrouble: OPTIONAL,
};

/** The names of {@link WatchBlocksOptions}. */
export const WATCH_BLOCKS_OPTIONS: OptionTable<WatchBlocksOptions> = {
  ...FOLLOW_OPTIONS,
  position: OPTIONAL,
  from: OPTIONAL,
  confirmations: OPTIONAL,
  depth: OPTIONAL,
};

/** Where to begin, and how far to look back. */
export interface ChainRule {
  readonly position: WatchPosition | undefined;
  /** Undefined for the next block to come. */
  readonly from: number | undefined;
  /** Blocks at the end of the chain that are not told yet. */
  readonly lag: number;
  readonly depth: number;
}

/** Throws RangeError unless an option is a whole number between two bounds. */
export function assertWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${name} is a whole number from ${least} to ${most}, not ${value}`);
}

/**
 * Returns the rule of options; also for other sources of the same events, as `watchStream` of events. Throws RangeError for numbers out of bounds and for a position beside `from`, and WatchError for a
 * position that is none.
 */
export function chainRule(
  options: Pick<WatchBlocksOptions, 'position' | 'from' | 'confirmations' | 'depth'>,
): ChainRule {
  const { position, from, confirmations = 1, depth = 100 } = options;
  assertWhole('depth', depth, 1, MOST_REMEMBERED);
  assertWhole('confirmations', confirmations, 1, depth);
  if (from !== undefined) assertWhole('from', from, 0, Number.MAX_SAFE_INTEGER);
  if (position === undefined) return { position, from, lag: confirmations - 1, depth };
  if (from !== undefined) throw new RangeError('a position has its own `from`');
  return { position: readPosition(position), from, lag: confirmations - 1, depth };
}

/** The nodes that are followed, and when to look at them. */
export interface Followed {
  readonly nodes: readonly ChainNode[];
  readonly interval: number;
  readonly wakes: AsyncIterable<unknown> | undefined;
  readonly signal: AbortSignal;
  readonly onTrouble: (trouble: WatchTrouble) => void;
}

/** Returns what is followed. Throws RangeError for a time-out or an interval that is not positive, and for no node. */
export function followed(options: FollowOptions): Followed {
  const { client, interval = 5000, wakes, timeout = 30_000 } = options;
  assertTimeout(timeout);
  assertTimeout(interval);
  const clients: readonly WatchedClient[] = Array.isArray(client) ? client : [client];
  if (clients.length === 0) throw new RangeError('there is no node to follow');
  return {
    nodes: clients.map((each) => new ChainNode(each, timeout)),
    interval,
    wakes,
    signal: options.signal ?? new AbortController().signal,
    onTrouble: options.onTrouble ?? (() => undefined),
  };
}
