import { hasPrunedWeights, hasWholeBlock, rulesFor, versionAtHeight } from '@monero-node/consensus';
import type { ChainForP2p } from './chain.ts';
import type { MayBePruned } from './peer-chain.ts';

/**
 * Returns whether a block may be downloaded without prunable data: this node is pruned and would not keep it whole, its
 * id and weight are precomputed, and pruned transactions have weights in its fork. Returns undefined if no block may be.
 * Source: should_ask_for_pruned_data in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export function blocksToTakePruned(
  chain: Pick<ChainForP2p, 'pruningSeed' | 'network' | 'knownWeight'>,
): MayBePruned | undefined {
  const { pruningSeed, network } = chain;
  if (pruningSeed === 0) return undefined;
  return (height, peerHeight) =>
    !hasWholeBlock(height, peerHeight, pruningSeed) &&
    chain.knownWeight(height) !== undefined &&
    hasPrunedWeights(rulesFor(versionAtHeight(network, height)));
}
