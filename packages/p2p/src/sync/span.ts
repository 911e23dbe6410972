import type { NetAddress } from '../net/address.ts';
import type { ReceivedBlock } from './received-block.ts';

/** Consecutive blocks requested from one peer: scheduled until they have arrived, then filled. */
export interface Span {
  readonly start: number;
  /** Block ids in hex, ascending by height. */
  readonly ids: readonly string[];
  /** Id of the connection from which they were requested. */
  owner: string;
  address: NetAddress;
  /** Milliseconds. */
  requestedAt: number;
  /** They were requested without prunable data. */
  readonly prune?: boolean;
  blocks?: readonly ReceivedBlock[];
  /** Id of the parent of the first block, in hex; known once filled. */
  prevId?: string;
  /** Bytes; 0 while scheduled. */
  size: number;
  /** Bytes per second of the download; 0 while scheduled. */
  rate: number;
}

/** Returns the height above the last block of a span. */
export function spanEnd(span: Span): number {
  return span.start + span.ids.length;
}
