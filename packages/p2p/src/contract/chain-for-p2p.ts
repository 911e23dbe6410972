import type { Blockchain } from '@monero-node/blockchain';
import type { ChainReader } from '@monero-node/storage';

/** The part of `Blockchain` that the peer-to-peer network uses. */
export type ChainForP2p = Pick<
  Blockchain,
  | 'network'
  | 'height'
  | 'top'
  | 'has'
  | 'shortHistory'
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
