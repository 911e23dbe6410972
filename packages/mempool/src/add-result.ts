import type { ConsensusError } from '@monero-node/consensus';
import type { RelayMethod } from './relay-method.ts';

/** Who brings a transaction: a client of this node, a peer, or a block off the main chain. */
export type TxSource = 'local' | 'peer' | 'block';

export interface AddTxOptions {
  readonly source: TxSource;
  /** As what it is to be treated; 'local' and 'block' by default of such sources, 'stem' of peers. */
  readonly relay?: RelayMethod;
  /** A client wants it kept, but not relayed. */
  readonly doNotRelay?: boolean;
}

/** What became of a transaction. */
export type AddTxResult =
  /** It is new in the pool. `relay`: how it is to be passed on; 'none': not, or not now. */
  | { readonly status: 'added'; readonly id: Uint8Array; readonly relay: RelayMethod }
  /** It was here already, in the pool or in the chain; `relay` other than 'none' if it is to be passed on (again). */
  | {
      readonly status: 'known';
      readonly id: Uint8Array;
      readonly where: 'pool' | 'chain';
      readonly relay: RelayMethod;
    }
  /** It breaks a rule. */
  | { readonly status: 'refused'; readonly id?: Uint8Array; readonly error: ConsensusError }
  /** It was in the pool until its time was up. */
  | { readonly status: 'timed-out'; readonly id: Uint8Array }
  /** Too much is waiting to be verified; nothing is said about the transaction. */
  | { readonly status: 'busy' };
