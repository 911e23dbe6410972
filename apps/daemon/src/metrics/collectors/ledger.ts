import type { Blockchain } from '@monero-node/blockchain';
import { FINDER_KINDS, LEDGER_FATES, type MiningLedger } from '@monero-node/miner';
import type { Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

export interface LedgerSources {
  readonly ledger: Pick<MiningLedger, 'entries' | 'hashes'>;
  readonly blockchain: Pick<Blockchain, 'nextDifficulty'>;
}

/** Returns the collector of the figures about the blocks that this node has found. */
export function ledgerCollector(
  metrics: Instruments['ledger'],
  { ledger, blockchain }: LedgerSources,
): Collector {
  return () => {
    for (const finder of FINDER_KINDS)
      for (const fate of LEDGER_FATES) metrics.blocks.set({ finder, fate }, 0);
    for (const { block, fate } of ledger.entries)
      metrics.blocks.inc({ finder: block.finder.kind, fate });
    metrics.effort.set(ledger.hashes / Number(blockchain.nextDifficulty()));
  };
}
