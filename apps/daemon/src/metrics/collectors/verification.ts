import type { Blockchain, VerificationCounters } from '@monero-node/blockchain';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

/** The counters of the chain that are kinds of checks, and their labels. */
const KINDS: Readonly<
  Record<Exclude<keyof VerificationCounters, 'blocks' | 'transactions'>, string>
> = {
  minerTxs: 'miner_transaction',
  known: 'known_block',
  pow: 'proof_of_work',
  cached: 'known_transaction',
  outputKeys: 'output_key',
  keyImages: 'key_image',
  balances: 'balance',
  borromeans: 'borromean',
  bulletproofs: 'bulletproof',
  rangeProofs: 'bulletproof_plus',
  ringSignatures: 'ring_signature',
  mlsags: 'mlsag',
  clsags: 'clsag',
  membershipProofs: 'fcmp_plus_plus',
};

/** Returns the collector of what the chain has verified. */
export function verificationCollector(
  metrics: Instruments['verification'],
  blockchain: Pick<Blockchain, 'counters'>,
): Collector {
  return () => {
    const { counters } = blockchain;
    setTotals(metrics.blocks, [[{}, counters.blocks]]);
    setTotals(metrics.transactions, [[{}, counters.transactions]]);
    const kinds = Object.entries(KINDS) as [keyof typeof KINDS, string][];
    setTotals(
      metrics.checks,
      kinds.map(([key, kind]) => [{ kind }, counters[key]]),
    );
  };
}
