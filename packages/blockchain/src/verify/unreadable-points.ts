import type { ParsedTransaction } from '@monero-node/codec';
import { MAX_BULLETPROOF_OUTPUTS } from '@monero-node/consensus';
import { isCurvePoint } from '@monero-node/crypto';

/** RingCT types with Bulletproofs, whose commitments monerod scales as soon as it has parsed the transaction. */
const FIRST_BULLETPROOF_TYPE = 3;

/**
 * Whether monerod would not even parse a transaction because a commitment of its outputs is not a point. It costs some
 * tenths of a millisecond per output, so it is for transactions that break another rule already.
 *
 * Source: expand_transaction_1 in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function hasUnreadableCommitment({ tx }: ParsedTransaction): boolean {
  if (tx.rct === undefined || tx.rct.type < FIRST_BULLETPROOF_TYPE) return false;
  return tx.rct.outPk
    .slice(0, MAX_BULLETPROOF_OUTPUTS)
    .some((commitment) => !isCurvePoint(commitment));
}

/** Key images that are decoded for the sake of an answer. */
const MAX_KEY_IMAGES = 16;

/** Whether one of the first 16 key images is not a point. It costs some tenths of a millisecond for each. */
export function hasUnreadableKeyImage({ tx }: ParsedTransaction): boolean {
  return tx.inputs
    .slice(0, MAX_KEY_IMAGES)
    .some((input) => input.kind === 'key' && !isCurvePoint(input.keyImage));
}
