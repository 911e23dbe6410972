import { METHOD_SCHEMAS, type MethodKey, OPENAPI_METHOD } from '@monero-node/rpc-schema';
import { bindHandler, type HandlerOf, type RpcMethod } from '../method.ts';
import { AVAILABILITY } from './availability.ts';
import { addAuxPow } from './add-aux-pow.ts';
import { banned } from './banned.ts';
import { calcPow } from './calc-pow.ts';
import { flushCache } from './flush-cache.ts';
import { flushTxpool } from './flush-txpool.ts';
import { generateBlocks } from './generate-blocks.ts';
import { getAltBlocksHashes } from './get-alt-blocks-hashes.ts';
import { getAlternateChains } from './get-alternate-chains.ts';
import { getBans } from './get-bans.ts';
import { getBlockCount } from './get-block-count.ts';
import { getBlockHeaderByHash } from './get-block-header-by-hash.ts';
import { getBlockHeaderByHeight } from './get-block-header-by-height.ts';
import { getBlockHeadersRange } from './get-block-headers-range.ts';
import { getBlockTemplate } from './get-block-template.ts';
import { getBlock } from './get-block.ts';
import { getBlocksBin } from './get-blocks-bin.ts';
import { getBlocksByHeightBin } from './get-blocks-by-height-bin.ts';
import { getCoinbaseTxSum } from './get-coinbase-tx-sum.ts';
import { getConnections } from './get-connections.ts';
import { getFeeEstimate } from './get-fee-estimate.ts';
import { getHashesBin } from './get-hashes-bin.ts';
import { getHeight } from './get-height.ts';
import { getInfo } from './get-info.ts';
import { getLastBlockHeader } from './get-last-block-header.ts';
import { getLimit } from './get-limit.ts';
import { getMinerData } from './get-miner-data.ts';
import { getNetStats } from './get-net-stats.ts';
import { getOutputIndexes } from './get-o-indexes.ts';
import { getOutputDistribution, getOutputDistributionBin } from './get-output-distribution.ts';
import { getOutputHistogram } from './get-output-histogram.ts';
import { getOuts, getOutsBin } from './get-outs.ts';
import { getPeerList } from './get-peer-list.ts';
import { getPublicNodes } from './get-public-nodes.ts';
import {
  getTransactionPoolHashes,
  getTransactionPoolHashesBin,
} from './get-transaction-pool-hashes.ts';
import { getTransactionPoolStats } from './get-transaction-pool-stats.ts';
import { getTransactionPool } from './get-transaction-pool.ts';
import { getTransactions } from './get-transactions.ts';
import { getTxpoolBacklog } from './get-txpool-backlog.ts';
import { getTxidsLoose } from './get-txids-loose.ts';
import { getVersion } from './get-version.ts';
import { hardForkInfo } from './hard-fork-info.ts';
import { isKeyImageSpent } from './is-key-image-spent.ts';
import { miningStatus } from './mining-status.ts';
import { onGetBlockHash } from './on-get-block-hash.ts';
import { openApi } from './openapi.ts';
import { popBlocks } from './pop-blocks.ts';
import { pruneBlockchain } from './prune-blockchain.ts';
import { relayTx } from './relay-tx.ts';
import {
  rpcAccessInfo,
  rpcAccessSubmitNonce,
  rpcAccessPay,
  rpcAccessTracking,
  rpcAccessData,
  rpcAccessAccount,
} from './rpc-access.ts';
import { saveBlockchain } from './save-bc.ts';
import { saveGraph } from './save-graph.ts';
import { sendRawTransaction } from './send-raw-transaction.ts';
import { setBans } from './set-bans.ts';
import { setBootstrapDaemon } from './set-bootstrap-daemon.ts';
import { setLimit } from './set-limit.ts';
import { setLogHashRate } from './set-log-hash-rate.ts';
import { setLogCategories, setLogLevel } from './set-log.ts';
import { outPeers, inPeers } from './set-peer-counts.ts';
import { startMining } from './start-mining.ts';
import { stopDaemon } from './stop-daemon.ts';
import { stopMining } from './stop-mining.ts';
import { submitBlock } from './submit-block.ts';
import { syncInfo } from './sync-info.ts';
import { update } from './update.ts';

/** Exactly one handler for every schema. */
const HANDLERS: { readonly [K in MethodKey]: HandlerOf<K> } = {
  addAuxPow,
  banned,
  calcPow,
  flushCache,
  flushTxpool,
  generateBlocks,
  getAltBlocksHashes,
  getAlternateChains,
  getBans,
  getBlockCount,
  getBlockHeaderByHash,
  getBlockHeaderByHeight,
  getBlockHeadersRange,
  getBlockTemplate,
  getBlock,
  getBlocksBin,
  getBlocksByHeightBin,
  getCoinbaseTxSum,
  getConnections,
  getFeeEstimate,
  getHashesBin,
  getHeight,
  getInfo,
  getLastBlockHeader,
  getLimit,
  getMinerData,
  getNetStats,
  getOutputIndexes,
  getOutputDistribution,
  getOutputDistributionBin,
  getOutputHistogram,
  getOuts,
  getOutsBin,
  getPeerList,
  getPublicNodes,
  getTransactionPoolHashes,
  getTransactionPoolHashesBin,
  getTransactionPoolStats,
  getTransactionPool,
  getTransactions,
  getTxidsLoose,
  getTxpoolBacklog,
  getVersion,
  hardForkInfo,
  isKeyImageSpent,
  miningStatus,
  onGetBlockHash,
  popBlocks,
  relayTx,
  pruneBlockchain,
  rpcAccessInfo,
  rpcAccessSubmitNonce,
  rpcAccessPay,
  rpcAccessTracking,
  rpcAccessData,
  rpcAccessAccount,
  saveBlockchain,
  saveGraph,
  sendRawTransaction,
  setBans,
  setBootstrapDaemon,
  setLimit,
  setLogCategories,
  setLogHashRate,
  setLogLevel,
  outPeers,
  inPeers,
  startMining,
  stopDaemon,
  stopMining,
  submitBlock,
  syncInfo,
  update,
};

/** Every method this node can serve. */
export const METHODS: readonly RpcMethod[] = [
  ...(Object.keys(METHOD_SCHEMAS) as MethodKey[]).map((key) =>
    bindHandler(METHOD_SCHEMAS[key], HANDLERS[key], AVAILABILITY[key]),
  ),
  bindHandler(OPENAPI_METHOD, openApi),
];
