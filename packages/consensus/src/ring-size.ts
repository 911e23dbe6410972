import type { ParsedTransaction } from '@monero-node/codec';
import type { ConsensusErrorCode } from './error-codes.ts';
import type { ForkRules } from './rules.ts';

type Fail = (code: ConsensusErrorCode, detail?: string) => never;

/** What ring rules see of a transaction's inputs. */
interface RingSurvey {
  /** Inputs of amounts with too few outputs on the chain to fill a ring. */
  unmixable: number;
  mixable: number;
  /** Decoys (ring size - 1) of the smallest and the largest ring. */
  smallest: number;
  largest: number;
}

/**
 * Ring sizes, and the transaction versions that depend on them (check_tx_inputs in
 * src/cryptonote_core/blockchain.cpp). Rings smaller than the rule are only for old outputs that
 * cannot be mixed; one mixable input may go with them.
 *
 * @param outputCount number of outputs of an amount in the chain below
 * @throws (through `fail`) 'ring-size', 'mixable-inputs', 'tx-version', 'not-ringct'
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
    // A ring of none counts as endless (upstream the size wraps); it is refused further on.
    const decoys = input.keyOffsets.length === 0 ? Infinity : input.keyOffsets.length - 1;
    rings.smallest = Math.min(rings.smallest, decoys);
    rings.largest = Math.max(rings.largest, decoys);
  }
  return rings;
}
