import type { Blockchain } from '@monero-node/blockchain';
import type { ChainReader } from '@monero-node/storage';

/** What the peer-to-peer part asks of the chain; `Blockchain` has it all. */
export type ChainForP2p = Pick<
  Blockchain,
  | 'network'
  | 'height'
  | 'top'
  | 'has'
  | 'shortHistory'
  | 'findCommonHeight'
  | 'blockBundleById'
  | 'transactionBlob'
  | 'weightState'
  | 'approveIds'
  | 'knownWeight'
  | 'pruningSeed'
  | 'addSpan'
  | 'addBlock'
> & {
  readonly store: Pick<
    ChainReader,
    'blockMeta' | 'blockMetas' | 'blockBlob' | 'blockTxs' | 'heightOf'
  >;
};
