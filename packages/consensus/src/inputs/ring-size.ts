import type { ParsedTransaction } from '@monero-node/codec';
import type { Fail } from '../errors/fail.ts';
import type { ForkRules } from '../forks/fork-table.ts';

/** The properties of a transaction's inputs that ring rules depend on. */
interface RingSurvey {
  /** Inputs of amounts with too few outputs on the chain to fill a ring. */
  unmixable: number;
  /** All other inputs. */
  mixable: number;
  /** Decoys (ring size - 1) of the smallest and the largest ring. */
  smallest: number;
  largest: number;
}

/**
 * Checks ring sizes, and the transaction versions that depend on them. Rings smaller than the rule are
 * only for old outputs that cannot be mixed; one mixable input may accompany them.
 *
 * Throws 'ring-size', 'mixable-inputs', 'tx-version' or 'not-ringct' through `fail`.
 *
 * Source: Blockchain::check_tx_inputs in src/cryptonote_core/blockchain.cpp.
 *
 * @param outputCount returns the number of outputs of an amount (atomic units) in the chain below
 */
export function checkRingSizes(
  rules: ForkRules,
  p: ParsedTransaction,
  outputCount: (amount: bigint) => number,
  fail: Fail,
): void {
  const rings = survey(p, rules.minDecoys, outputCount);
  const { smallest, largest, unmixable, mixable } = rings;
  if (rules.equalRings && smallest !== largest) {
    fail('ring-size', `rings of ${smallest + 1} to ${largest + 1}`);
  }
  if (smallest < rules.minDecoys && !rules.exactDecoys?.includes(smallest)) {
    if (unmixable === 0) fail('ring-size', `${smallest + 1}, at least ${rules.minRingSize} needed`);
    if (mixable > 1) fail('mixable-inputs', `${mixable}`);
  } else if (rules.exactDecoys !== undefined && !rules.exactDecoys.includes(smallest)) {
    fail('ring-size', `${smallest + 1}, must be ${rules.minRingSize}`);
  }
  if (p.tx.version > rules.maxTxVersion) fail('tx-version', `version ${p.tx.version}`);
  if (p.tx.version < rules.minTxVersion && unmixable === 0) fail('not-ringct');
}

function survey(
  p: ParsedTransaction,
  minDecoys: number,
  outputCount: (amount: bigint) => number,
): RingSurvey {
  const rings: RingSurvey = { unmixable: 0, mixable: 0, smallest: Infinity, largest: 0 };
  for (const input of p.tx.inputs) {
    if (input.kind !== 'key') continue;
    // RingCT outputs always count as mixable. The count includes the output being spent.
    if (input.amount !== 0n && outputCount(input.amount) <= minDecoys) rings.unmixable++;
    else rings.mixable++;
    // An empty ring counts as infinite (upstream its size wraps); a later rule rejects it.
    const decoys = input.keyOffsets.length === 0 ? Infinity : input.keyOffsets.length - 1;
    rings.smallest = Math.min(rings.smallest, decoys);
    rings.largest = Math.max(rings.largest, decoys);
  }
  return rings;
}
