import { compareBytes, toHex } from '@monero-node/codec';
import type { ParsedTransaction, TxInput } from '@monero-node/codec';
import type { ConsensusErrorCode } from './error-codes.ts';
import { ConsensusError } from './errors.ts';
import { ringSignaturesOf } from './ring-signatures.ts';
import type { RingSignatures } from './ring-signatures.ts';
import { checkRingSizes } from './ring-size.ts';
import type { ForkRules } from './rules.ts';
import { isUnlocked } from './unlock.ts';

/** An output as rings need it. */
export interface RingMember {
  key: Uint8Array;
  /** For outputs of an open amount: G + amount·H. */
  commitment: Uint8Array;
  unlockTime: bigint;
  /** Height of its block. */
  height: number;
}

/**
 * What input rules may ask of the chain below `height`. Nothing of the block being checked is
 * visible: its own outputs cannot be spent in it.
 */
export interface ChainLookup {
  /** Height of the block that the transaction is in, or for the pool of the next block. */
  height: number;
  /** Hard fork version of that block. */
  version: number;
  /** As adjustedTime(); Unix seconds. */
  adjustedTime(): number;
  /** @param amount 0 for RingCT outputs @param index any 64-bit number */
  ringMember(amount: bigint, index: bigint): RingMember | undefined;
  /** Outputs of that amount, locked ones too. */
  outputCount(amount: bigint): number;
  isSpent(keyImage: Uint8Array): boolean;
}

type KeyInput = Extract<TxInput, { kind: 'key' }>;
type Fail = (code: ConsensusErrorCode, detail?: string) => never;

/**
 * The rules of a transaction's inputs against the chain, in the order of check_tx_inputs
 * (src/cryptonote_core/blockchain.cpp). A transaction that has not passed checkTransaction under the
 * same rules may be reported with any code.
 *
 * @param rules of the block at chain.height
 * @returns the ring signatures that are still to be verified ('bad-ring-signature')
 * @throws ConsensusError 'too-few-outputs', 'ring-size', 'mixable-inputs', 'tx-version',
 *   'not-ringct', 'unsorted-inputs', 'input-type', 'empty-ring', 'double-spend',
 *   'ring-member-missing', 'ring-member-locked', 'ring-member-too-young', 'bad-ring-signature',
 *   'rct-type'
 */
export function checkInputs(
  rules: ForkRules,
  p: ParsedTransaction,
  chain: ChainLookup,
): RingSignatures {
  const fail: Fail = (code, detail = '') => {
    throw new ConsensusError(code, detail, { txId: toHex(p.id), height: chain.height });
  };
  const { version, outputs } = p.tx;
  if (version === 2 && outputs.length < rules.minOutputs) {
    fail('too-few-outputs', `${outputs.length}, at least ${rules.minOutputs} needed`);
  }
  checkRingSizes(rules, p, (amount) => chain.outputCount(amount), fail);
  if (rules.sortedInputs) checkOrder(p, fail);
  const inputs = p.tx.inputs.map((input) =>
    input.kind === 'key' ? input : fail('input-type', input.kind),
  );
  const rings = inputs.map((input) => findRing(rules, input, chain, fail));
  checkAge(rules, rings, chain.height, fail);
  return ringSignaturesOf(p, rings, fail);
}

function checkOrder(p: ParsedTransaction, fail: Fail): void {
  let last: Uint8Array | undefined;
  for (const input of p.tx.inputs) {
    if (input.kind !== 'key') continue;
    if (last !== undefined && compareBytes(input.keyImage, last) >= 0) fail('unsorted-inputs');
    last = input.keyImage;
  }
}

/** The ring of one unspent input; all members must exist before any is asked whether it is locked. */
function findRing(rules: ForkRules, input: KeyInput, chain: ChainLookup, fail: Fail): RingMember[] {
  if (input.keyOffsets.length === 0) fail('empty-ring');
  if (chain.isSpent(input.keyImage)) fail('double-spend', toHex(input.keyImage));
  const ring = absoluteOffsets(input.keyOffsets).map(
    (index) =>
      chain.ringMember(input.amount, index) ??
      fail('ring-member-missing', `amount ${input.amount}, index ${index}`),
  );
  for (const { unlockTime } of ring) {
    if (!isUnlocked(rules, unlockTime, chain.height, () => chain.adjustedTime())) {
      fail('ring-member-locked', `until ${unlockTime}`);
    }
  }
  return ring;
}

/**
 * Only the last member of each ring counts, which is the youngest as long as no offset wraps; where
 * one does, the rule stays with the last.
 */
function checkAge(
  rules: ForkRules,
  rings: readonly (readonly RingMember[])[],
  height: number,
  fail: Fail,
): void {
  const youngest = Math.max(0, ...rings.map((ring) => ring.at(-1)?.height ?? 0));
  if (youngest + rules.minRingMemberAge > height) {
    fail('ring-member-too-young', `from block ${youngest}`);
  }
}

/**
 * Output indices from the offsets on the wire: the first is absolute, each later one is added to the
 * one before. Sums wrap at 64 bits, as upstream's do
 * (relative_output_offsets_to_absolute in src/cryptonote_basic/cryptonote_format_utils.cpp).
 */
export function absoluteOffsets(relative: readonly bigint[]): bigint[] {
  let last = 0n;
  return relative.map((offset) => (last = BigInt.asUintN(64, last + offset)));
}
