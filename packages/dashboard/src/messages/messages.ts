import type { History, PagePoint, RangeName } from './history.ts';
import type { BlockRow, LogRow, NodeDescription, Sections } from './state.ts';

/** Most blocks that are kept and shown. */
export const MOST_BLOCKS = 30;
/** Most lines of the log that are kept and shown. */
export const MOST_LOG_LINES = 100;

/** The whole state: the data of an event named `state`. */
export interface StateMessage {
  /** Unix milliseconds of the node's clock. */
  readonly now: number;
  /** Path of the script that belongs to this node, so that a page that is older loads itself again. */
  readonly script: string;
  readonly node: NodeDescription;
  readonly sections: Partial<Sections>;
  /** Oldest first. */
  readonly blocks: readonly BlockRow[];
  /** Oldest first; undefined in the public view. */
  readonly log?: readonly LogRow[];
  readonly history: History;
}

/** Blocks that were added. Those known from `from` upwards are no longer part of the chain. */
export interface BlocksChange {
  readonly from: number;
  /** Oldest first. */
  readonly added: readonly BlockRow[];
}

/** A point of the history, at the end of a step. */
export interface PointChange {
  readonly range: RangeName;
  /** Unix seconds. */
  readonly at: number;
  readonly values: PagePoint;
}

/** A change of the state: the data of an event named `change`. */
export interface ChangeMessage {
  /** Unix milliseconds of the node's clock. */
  readonly now: number;
  /** The sections that changed, each as a whole. */
  readonly sections?: Partial<Sections>;
  readonly blocks?: BlocksChange;
  /** New lines, oldest first. */
  readonly log?: readonly LogRow[];
  readonly points?: readonly PointChange[];
}
