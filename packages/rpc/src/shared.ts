// The parts that another interface to the same node is made from, such as ZeroMQ's. Apart from index.ts, which loads the HTTP server.
export type { KnownBlock } from './blocks/block-header.ts';
export type { BlockLookup } from './blocks/block-lookup.ts';
export { fullBlob, readBlock, readSpan } from './blocks/block-span.ts';
export { commonHeight } from './blocks/common-height.ts';
export { forkInfo } from './blocks/fork-info.ts';
export type { ChainCaches, RpcServices } from './context.ts';
export {
  resolveDependencies,
  type ResolvedRpcDependencies,
  type RpcChain,
} from './dependencies.ts';
export { tryHex } from './encoding/hex.ts';
export { runWriting } from './encoding/run-writing.ts';
export { wideNumber } from './encoding/wide-number.ts';
export type { RpcFlag } from './error-flags.ts';
export { shownRequest, type FinishedCall } from './finished-call.ts';
export {
  MAX_RESTRICTED_HEADER_RANGE,
  MAX_RESTRICTED_KEY_IMAGES,
  MAX_RESTRICTED_OUTPUTS,
  MAX_RESTRICTED_RECENT_CUTOFF,
  MAX_RESTRICTED_TRANSACTIONS,
} from './limits.ts';
export { minerAddress, standardAddress } from './mining/miner-address.ts';
export { startMiner } from './mining/start-miner.ts';
export { outputHistogram, type HistogramEntry } from './outputs/output-histogram.ts';
export { toNumbers } from './outputs/pack-integers.ts';
export type { RpcTransactions } from './pool.ts';
export { createServices } from './services.ts';
