import type { SecondClock } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { rulesFor } from '@monero-node/consensus';
import { claimedHeight } from '@monero-node/node';
import type { P2pNode } from '@monero-node/p2p';
import type { Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

export interface ChainSources {
  readonly blockchain: Pick<
    Blockchain,
    'height' | 'top' | 'store' | 'nextDifficulty' | 'nextVersion' | 'on' | 'treeBlocks'
  >;
  readonly p2p: Pick<P2pNode, 'connections'>;
  readonly now: SecondClock;
}

/** Counts reorganizations from now on, and returns the collector of the other figures about the chain. */
export function chainCollector(
  metrics: Instruments['chain'],
  { blockchain, p2p, now }: ChainSources,
): Collector {
  blockchain.on('reorg', ({ removed }) => metrics.reorganizations.observe(removed.length));
  return () => {
    const { height, store, top } = blockchain;
    const claimed = claimedHeight(p2p.connections());
    // Without peers nobody knows: NaN, which a graph shows as a gap.
    const target = claimed === undefined ? NaN : Math.max(height, claimed);
    const difficulty = Number(blockchain.nextDifficulty());
    metrics.height.set(height);
    metrics.target.set(target);
    metrics.lag.set(target - height);
    metrics.topAge.set(now() - top.timestamp);
    metrics.difficulty.set(difficulty);
    metrics.hashRate.set(difficulty / rulesFor(blockchain.nextVersion()).difficultyTarget);
    metrics.alternatives.set(store.altBlockCount);
    metrics.treeBlocks.set(blockchain.treeBlocks ?? 0);
  };
}
