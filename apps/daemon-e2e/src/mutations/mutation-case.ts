import type { ConsensusErrorCode } from '@monero-node/consensus';
import type { Bundle, ChainBuilder } from './chain-builder.ts';

/** What our node must do with a block. Several codes: rules of one step whose order is free. */
export type Verdict = 'accepted' | 'orphan' | 'missing-txs' | readonly ConsensusErrorCode[];

/** One changed block or transaction. */
export interface MutationCase {
  name: string;
  verdict: Verdict;
  make(builder: ChainBuilder): Bundle;
  /**
   * Why the real monerod is not asked about this one; absent: it must accept exactly what we accept.
   */
  notAsked?: string | undefined;
  /** Why monerod 0.18 does not drop the peer that sent it; it must not take the block all the same. */
  monerodKeepsPeer?: string;
}

export const refused = (
  name: string,
  codes: ConsensusErrorCode | readonly ConsensusErrorCode[],
  make: (builder: ChainBuilder) => Bundle,
  notAsked?: string | undefined,
): MutationCase => ({
  name,
  verdict: typeof codes === 'string' ? [codes] : codes,
  make,
  notAsked,
});

export const accepted = (name: string, make: (builder: ChainBuilder) => Bundle): MutationCase => ({
  name,
  verdict: 'accepted',
  make,
});
