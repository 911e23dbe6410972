import type { ChainFacts, FeeFacts } from '@monero-node/dashboard';
import { rulesFor } from '@monero-node/consensus';
import { targetHeight } from '@monero-node/node';
import type { PageSources } from './page-sources.ts';

/** Blocks for which an advised fee stays high enough, as wallets ask for it. */
const GRACE_BLOCKS = 10;

/** Sentences for the reasons of `notReady` that synchronizing does not explain. */
const PROBLEMS: Readonly<Record<string, string>> = {
  store_failed: 'The database takes no more writes. The log names the cause.',
  no_peers: 'No peers are connected.',
  few_peers: 'Fewer peers are connected than --ready-min-peers wants.',
  old_tip: 'The newest block is older than --ready-max-tip-age allows.',
  low_disk: 'Less space is free on the disk than --ready-min-disk wants.',
  stopping: 'The node stops soon.',
};

/** Returns the facts about the chain. */
export function chainSection(
  sources: Pick<PageSources, 'blockchain' | 'notReady' | 'p2p' | 'state'>,
): ChainFacts {
  const { blockchain, notReady, p2p, state } = sources;
  const { height } = blockchain;
  const rules = rulesFor(blockchain.nextVersion());
  const difficulty = Number(blockchain.nextDifficulty());
  const reasons = notReady();
  const problem = state.problem ?? reasons.flatMap((reason) => PROBLEMS[reason] ?? [])[0];
  return {
    height,
    target: targetHeight(height, p2p.connections()),
    synchronized: !reasons.includes('synchronizing') && !reasons.includes('behind'),
    blocksPerSecond: state.blocksPerSecond,
    difficulty,
    hashRate: difficulty / rules.difficultyTarget,
    blockTime: rules.difficultyTarget,
    version: blockchain.nextVersion(),
    weightMedian: blockchain.weightState().effectiveMedian,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Returns the chain as the public may see it: without the state of this machine. */
export function publicChain({ problem: _problem, ...facts }: ChainFacts): ChainFacts {
  return { ...facts, blocksPerSecond: 0 };
}

/** Returns the advice on fees. */
export function feeSection({ blockchain }: Pick<PageSources, 'blockchain'>): FeeFacts {
  return { perByte: blockchain.feeEstimate(GRACE_BLOCKS).fees.map(Number) };
}
