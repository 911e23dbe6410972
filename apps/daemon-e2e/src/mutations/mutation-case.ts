import type { ConsensusErrorCode } from '@monero-node/consensus';
import type { Bundle, ChainBuilder } from './chain-builder.ts';

/** The verdict required of our node. Several codes belong to rules of one step that may apply in any order. */
export type Verdict = 'accepted' | 'orphan' | 'missing-txs' | readonly ConsensusErrorCode[];

/** A changed block or transaction. */
export interface MutationCase {
  name: string;
  verdict: Verdict;
  make(builder: ChainBuilder): Bundle;
  /**
   * Why monerod is not asked about this case. When absent, monerod must reach the same verdict.
   */
  notAsked?: string | undefined;
  /** Why monerod 0.18 does not drop the peer that sent it. It must still reject the block. */
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
