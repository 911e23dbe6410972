import type { ConsensusError } from '@monero-node/consensus';
import type { RelayMethod } from './relay-method.ts';

/** Where a transaction comes from: a client of this node, a peer, or a block off the main chain. */
export type TxSource = 'local' | 'peer' | 'block';

export interface AddTxOptions {
  readonly source: TxSource;
  /** How it is to be relayed: by default 'local' or 'block' for these sources, and 'stem' for peers. */
  readonly relay?: RelayMethod;
  /** The client asks that it is kept but not relayed. */
  readonly doNotRelay?: boolean;
}

/** The result of adding a transaction. Ids are 32 bytes. */
export type AddTxResult =
  /** It is new in the pool. `relay` is the method to relay it by; 'none' for not at all, or not now. */
  | { readonly status: 'added'; readonly id: Uint8Array; readonly relay: RelayMethod }
  /** It is already in the pool or in the chain. `relay` is not 'none' if it is to be relayed (again). */
  | {
      readonly status: 'known';
      readonly id: Uint8Array;
      readonly where: 'pool' | 'chain';
      readonly relay: RelayMethod;
    }
  /** It breaks a rule. */
  | { readonly status: 'refused'; readonly id?: Uint8Array; readonly error: ConsensusError }
  /** It has expired from the pool. */
  | { readonly status: 'timed-out'; readonly id: Uint8Array }
  /** Too many transactions are waiting; it was not verified. */
  | { readonly status: 'busy' };
