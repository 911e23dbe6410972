import { METHOD_SCHEMAS, methodName, type MethodKey } from '@monero-node/rpc-schema';

/**
 * Where the calls of a method are answered when the RPC has workers. `worker`: by the worker that has the connection, from the
 * database; what it needs of the pool it asks the main process for. `main`: passed on whole, because the call changes something
 * or asks for what only the main process has.
 */
export type AnsweredBy = 'worker' | 'main';

/** Every method; the compiler misses those that are left out. */
const ANSWERED_BY: { readonly [K in MethodKey]: AnsweredBy } = {
  addAuxPow: 'main',
  banned: 'main',
  calcPow: 'main',
  flushCache: 'main',
  flushTxpool: 'main',
  generateBlocks: 'main',
  getAltBlocksHashes: 'worker',
  getAlternateChains: 'worker',
  getBans: 'main',
  getBlockCount: 'worker',
  getBlockHeaderByHash: 'worker',
  getBlockHeaderByHeight: 'worker',
  getBlockHeadersRange: 'worker',
  getBlockTemplate: 'main',
  getBlock: 'worker',
  // With the changes of the pool, which take one message.
  getBlocksBin: 'worker',
  getBlocksByHeightBin: 'worker',
  getCoinbaseTxSum: 'worker',
  getConnections: 'main',
  getFeeEstimate: 'worker',
  getHashesBin: 'worker',
  getHeight: 'worker',
  // With figures that the main process sends as they change.
  getInfo: 'worker',
  getLastBlockHeader: 'worker',
  getLimit: 'main',
  getMinerData: 'main',
  getNetStats: 'main',
  getOutputIndexes: 'worker',
  getOutputDistribution: 'worker',
  getOutputDistributionBin: 'worker',
  getOutputHistogram: 'worker',
  getOuts: 'worker',
  getOutsBin: 'worker',
  getPeerList: 'main',
  getPublicNodes: 'main',
  getTransactionPool: 'main',
  getTransactionPoolHashes: 'main',
  getTransactionPoolHashesBin: 'main',
  getTransactionPoolStats: 'main',
  // Passed on when one of them is not in the chain.
  getTransactions: 'worker',
  getTxidsLoose: 'main',
  getTxpoolBacklog: 'main',
  getVersion: 'worker',
  hardForkInfo: 'worker',
  // Passed on when one of them is not spent in the chain.
  isKeyImageSpent: 'worker',
  miningStatus: 'main',
  onGetBlockHash: 'worker',
  outPeers: 'main',
  inPeers: 'main',
  popBlocks: 'main',
  pruneBlockchain: 'main',
  relayTx: 'main',
  rpcAccessAccount: 'main',
  rpcAccessData: 'main',
  rpcAccessInfo: 'main',
  rpcAccessPay: 'main',
  rpcAccessSubmitNonce: 'main',
  rpcAccessTracking: 'main',
  saveBlockchain: 'main',
  saveGraph: 'main',
  sendRawTransaction: 'main',
  setBans: 'main',
  setBootstrapDaemon: 'main',
  setLimit: 'main',
  setLogCategories: 'main',
  setLogHashRate: 'main',
  setLogLevel: 'main',
  startMining: 'main',
  stopDaemon: 'main',
  stopMining: 'main',
  submitBlock: 'main',
  syncInfo: 'main',
  update: 'main',
};

const BY_WORKERS: ReadonlySet<string> = new Set(
  (Object.keys(ANSWERED_BY) as MethodKey[])
    .filter((key) => ANSWERED_BY[key] === 'worker')
    .map((key) => methodName(METHOD_SCHEMAS[key])),
);

/** Returns whether workers answer the calls of a method, by its name in logs and counters. */
export function isAnsweredByWorker(name: string): boolean {
  return BY_WORKERS.has(name);
}
