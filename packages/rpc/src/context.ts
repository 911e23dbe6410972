import type { Blockchain, Logger } from '@monero-node/blockchain';
import type { P2pNodeInfo } from '@monero-node/p2p';

/** What the RPC may ask of the chain. */
export type RpcChain = Pick<
  Blockchain,
  | 'network'
  | 'store'
  | 'height'
  | 'topId'
  | 'top'
  | 'busy'
  | 'addBlock'
  | 'popBlocks'
  | 'has'
  | 'findCommonHeight'
  | 'blockBundle'
  | 'transactionBlob'
  | 'nextDifficulty'
  | 'nextVersion'
  | 'weightState'
  | 'adjustedTime'
  | 'difficultyOf'
  | 'baseReward'
  | 'feeEstimate'
  | 'powHash'
>;

/** The process around the parts: what only the composition root can answer or do. */
export interface NodeControl {
  /** Unix seconds at which the node started. */
  startTime: number;
  /** Version as `get_info` reports it. */
  version: string;
  /** Started without network. */
  offline: boolean;
  dataDir: string;
  /** Begins an orderly shutdown; returns at once. */
  requestStop(): void;
  /** Bytes free on the volume of the data directory. */
  freeSpace(): Promise<number>;
  /** Writes what is only in memory to disk. */
  flush(): Promise<void>;
}

/** What {@link RpcServer} is built from. */
export interface RpcDependencies {
  blockchain: RpcChain;
  p2p: P2pNodeInfo;
  node: NodeControl;
  logger: Logger;
}
