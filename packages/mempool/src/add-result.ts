import { CONSENSUS_ERRORS, NO_OFFENSE, penaltyOf } from '@monero-node/consensus';
import type { ConsensusError, RpcFlag } from '@monero-node/consensus';
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

/** What `/send_raw_transaction` is to say of a result. */
export interface SendAnswer {
  readonly ok: boolean;
  readonly notRelayed: boolean;
  readonly flags: readonly RpcFlag[];
  readonly reason: string;
}

/** Source: on_send_raw_tx in src/rpc/core_rpc_server.cpp. */
export function sendAnswer(result: AddTxResult): SendAnswer {
  switch (result.status) {
    case 'added':
    case 'known': {
      const notRelayed = result.relay === 'none';
      return { ok: true, notRelayed, flags: [], reason: notRelayed ? 'Not relayed' : '' };
    }
    case 'refused': {
      const { rpcFlags, reason = '' } = CONSENSUS_ERRORS[result.error.code];
      return { ok: false, notRelayed: false, flags: rpcFlags, reason };
    }
    case 'timed-out':
      return { ok: false, notRelayed: false, flags: [], reason: '' };
    case 'busy':
      return { ok: false, notRelayed: false, flags: [], reason: 'too many transactions waiting' };
  }
}

/** Whether the peer that sent it is to be dropped for it. */
export function isOffence(result: AddTxResult): boolean {
  if (result.status === 'timed-out') return true;
  return result.status === 'refused' && penaltyOf(result.error.code, 'transaction') !== NO_OFFENSE;
}
