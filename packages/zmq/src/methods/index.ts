import type { ZmqMethod } from '../method.ts';
import { getBlockHash, getBlocksFast, getHashesFast, getHeight } from './blocks.ts';
import {
  getBlockHeaderByHash,
  getBlockHeaderByHeight,
  getBlockHeadersByHeight,
  getLastBlockHeader,
} from './headers.ts';
import { miningStatus, startMining, stopMining } from './mining.ts';
import {
  getDynamicFeeEstimate,
  getInfo,
  getPeerList,
  getRpcVersion,
  hardForkInfo,
  saveBlockchain,
  setLogLevel,
} from './node.ts';
import {
  getOutputDistribution,
  getOutputHistogram,
  getOutputKeys,
  getTxGlobalOutputIndices,
} from './outputs.ts';
import { sendRawTx, sendRawTxHex } from './send-raw-tx.ts';
import { getTransactionPool, getTransactions, keyImagesSpent } from './transactions.ts';

/** Every method of the ZeroMQ RPC. Source: src/rpc/daemon_handler.cpp. */
export const ZMQ_METHODS: readonly ZmqMethod[] = [
  getBlockHash,
  getBlockHeaderByHash,
  getBlockHeaderByHeight,
  getBlockHeadersByHeight,
  getBlocksFast,
  getDynamicFeeEstimate,
  getHashesFast,
  getHeight,
  getInfo,
  getLastBlockHeader,
  getOutputDistribution,
  getOutputHistogram,
  getOutputKeys,
  getPeerList,
  getRpcVersion,
  getTransactionPool,
  getTransactions,
  getTxGlobalOutputIndices,
  hardForkInfo,
  keyImagesSpent,
  miningStatus,
  saveBlockchain,
  sendRawTx,
  sendRawTxHex,
  setLogLevel,
  startMining,
  stopMining,
];
