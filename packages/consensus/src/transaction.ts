import { toHex } from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import type { BalanceStatement } from '@monero-node/crypto';
import { isDecomposed, sumU64 } from './amounts.ts';
import { MAX_TX_SIZE } from './constants.ts';
import type { ConsensusErrorCode } from './error-codes.ts';
import { ConsensusError } from './errors.ts';
import { areOutputTypesAllowed } from './output-types.ts';
import { balanceOf, checkProofLayout, rangeProofsOf } from './proofs.ts';
import type { RangeProofs } from './proofs.ts';
import type { ForkRules } from './rules.ts';
import { transactionWeight } from './transaction-weight.ts';

/** What is left of a transaction's own rules once everything without curve arithmetic has passed. */
export interface PendingChecks {
  /** Output keys; each must decode as a point, else 'output-key'. */
  points: Uint8Array[];
  /** Each must be of the prime-order subgroup, else 'bad-key-image'. */
  keyImages: Uint8Array[];
  /** Else 'bad-balance'; absent where a ring signature proves it. */
  balance?: BalanceStatement | undefined;
  /** Else 'bad-range-proof'. */
  rangeProofs?: RangeProofs;
}

/** Throws a ConsensusError about one transaction. */
type Fail = (code: ConsensusErrorCode, detail?: string) => never;

/**
 * The rules of a non-coinbase transaction that look at nothing but itself, in the order of
 * ver_non_input_consensus (src/cryptonote_core/tx_verification_utils.cpp). Those that need curve
 * arithmetic come back to be done in batches; where several rules are broken, the code reported may
 * therefore be one that monerod would have come to later.
 *
 * @param rules of the block that holds the transaction, or of the next block for the pool
 * @param txId hex, for the error; computed when absent
 * @throws ConsensusError with any code of a transaction's own rules
 */
export function checkTransaction(
  rules: ForkRules,
  p: ParsedTransaction,
  txId: string = toHex(p.id),
): PendingChecks {
  const fail: Fail = (code, detail = '') => {
    throw new ConsensusError(code, detail, { txId });
  };
  if (p.pruned) fail('bad-tx-blob', 'a pruned transaction cannot be verified');
  checkSizeAndVersion(rules, p, fail);
  checkForm(p, fail);
  checkAmounts(p, fail);
  checkKeyImagesAndOffsets(rules, p, fail);
  checkOutputs(rules, p, txId, fail);
  const pending: PendingChecks = {
    points: p.tx.outputs.flatMap(({ target }) => ('key' in target ? [target.key] : [])),
    keyImages: p.tx.inputs.flatMap((input) => (input.kind === 'key' ? [input.keyImage] : [])),
  };
  if (p.tx.version === 1) return pending;
  checkProofLayout(p, fail);
  const balance = balanceOf(p);
  return {
    ...pending,
    rangeProofs: rangeProofsOf(p),
    balance,
  };
}

/** Rules 1 to 3: bytes, version, weight. */
function checkSizeAndVersion(rules: ForkRules, p: ParsedTransaction, fail: Fail): void {
  if (p.blob.length > MAX_TX_SIZE) fail('tx-too-big', `${p.blob.length} bytes`);
  if (p.tx.version > rules.maxTxVersion) fail('tx-version', `version ${p.tx.version}`);
  if (rules.maxTxWeight === undefined) return;
  const weight = transactionWeight(p);
  if (weight > rules.maxTxWeight) {
    fail('tx-too-big', `weight ${weight}, the limit is ${rules.maxTxWeight}`);
  }
}

/** Rules 4 to 7: kinds of inputs and outputs, and what outputs must carry. */
function checkForm({ tx }: ParsedTransaction, fail: Fail): void {
  if (tx.inputs.length === 0) fail('no-inputs');
  for (const input of tx.inputs) {
    if (input.kind !== 'key') fail('input-type', input.kind);
  }
  for (const { target, amount } of tx.outputs) {
    if (target.kind !== 'key' && target.kind !== 'tagged-key') fail('output-key', target.kind);
    if (tx.version === 1 && amount === 0n) fail('output-amount', 'version 1 and amount 0');
  }
  if (tx.version === 1) return;
  const commitments = tx.rct?.outPk.length ?? 0;
  if (commitments !== tx.outputs.length) {
    fail('out-pk-count', `${commitments} for ${tx.outputs.length} outputs`);
  }
}

/** Rules 8 and 9: no overflow, and a fee. */
function checkAmounts({ tx }: ParsedTransaction, fail: Fail): void {
  const inputs = sumU64(tx.inputs.map((input) => (input.kind === 'key' ? input.amount : 0n)));
  const outputs = sumU64(tx.outputs.map((output) => output.amount));
  if (inputs === undefined || outputs === undefined) return fail('amount-overflow');
  if (tx.version === 1 && inputs <= outputs) {
    fail('overspend', `inputs ${inputs}, outputs ${outputs}`);
  }
}

/** Rules 10 and 11. */
function checkKeyImagesAndOffsets(rules: ForkRules, { tx }: ParsedTransaction, fail: Fail): void {
  const inputs = tx.inputs.filter((input) => input.kind === 'key');
  const seen = new Set<string>();
  for (const { keyImage } of inputs) {
    const hex = toHex(keyImage);
    if (seen.has(hex)) fail('duplicate-key-image', hex);
    seen.add(hex);
  }
  if (!rules.distinctRingMembers) return;
  for (const { keyOffsets } of inputs) {
    // Only deltas are looked at: one that wraps may still lead back to an earlier member.
    if (keyOffsets.indexOf(0n, 1) > 0) fail('duplicate-ring-member');
  }
}

/** Rules 13 to 16: targets, amounts, RingCT type. */
function checkOutputs(rules: ForkRules, { tx }: ParsedTransaction, txId: string, fail: Fail): void {
  if (!areOutputTypesAllowed(rules, tx.outputs)) fail('output-type');
  const amounts = tx.outputs.map((output) => output.amount);
  if (tx.version === 1) {
    if (rules.decomposedOutputs && !amounts.every(isDecomposed)) fail('output-decomposition');
    return;
  }
  if (rules.zeroOutputAmounts && amounts.some((amount) => amount !== 0n)) {
    fail('output-amount', 'version 2 and an open amount');
  }
  const type = tx.rct?.type ?? 0;
  if (!rules.rctTypes.includes(type) && !rules.rctTypeExemptions.includes(txId)) {
    fail('rct-type', `type ${type}`);
  }
}
