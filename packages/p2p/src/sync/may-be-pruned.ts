import { hasPrunedWeights, hasWholeBlock, rulesFor, versionAtHeight } from '@monero-node/consensus';
import type { ChainForP2p } from './chain.ts';
import type { MayBePruned } from './peer-chain.ts';

/**
 * Which blocks may be downloaded pruned: those that this node, being pruned, would not keep whole, whose id
 * and weight are known beforehand, and whose fork is one from which on pruned transactions have weights
 * (`cryptonote_protocol_handler.inl`, should_ask_for_pruned_data). Undefined: none.
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
