import { FCMP_TYPE, keyImagesOf, toHex } from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import type { BalanceStatement } from '@monero-node/crypto';
import { isDecomposed, sumU64 } from '../primitives/amounts.ts';
import { MAX_TX_SIZE } from '../primitives/constants.ts';
import type { Fail } from '../errors/fail.ts';
import { ConsensusError } from '../errors/consensus-error.ts';
import { areCarrot, areOutputsSorted, areOutputTypesAllowed } from './output-types.ts';
import { balanceOf, checkProofLayout, rangeProofsOf } from './proofs.ts';
import type { RangeProofs } from './proofs.ts';
import type { ForkRules } from '../forks/fork-table.ts';
import { transactionWeight } from './transaction-weight.ts';

/** The rules of a transaction that need curve arithmetic, to be verified in batches. */
export interface PendingChecks {
  /** Output keys, 32 bytes each; every one must decode as a point, else 'output-key'. */
  points: Uint8Array[];
  /** Keys and commitments of Carrot outputs, 32 bytes each; every one must be in the prime-order subgroup, else 'torsioned-output'. */
  torsionFree?: readonly Uint8Array[] | undefined;
  /** 32 bytes each; every one must be in the prime-order subgroup, else 'bad-key-image' or 'key-image-encoding'. */
  keyImages: Uint8Array[];
  /** Must hold, else 'bad-balance'; absent where a ring signature proves it. */
  balance?: BalanceStatement | undefined;
  /** Must verify, else 'bad-range-proof'. */
  rangeProofs?: RangeProofs;
}

/**
 * Checks the rules of a transaction that depend on nothing but itself, in upstream's order. It is not
 * for miner transactions. Returns the checks that need curve arithmetic. They run later in batches, so
 * when several rules are broken the error may be one that monerod would report only after another.
 *
 * Throws ConsensusError with the code of the broken rule.
 *
 * Source: ver_non_input_consensus in src/cryptonote_core/tx_verification_utils.cpp.
 *
 * @param rules of the block that holds the transaction, or of the next block for the pool
 * @param txId 64 hex digits, for the error; computed when absent
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
  if (!areOutputsSorted(rules, p.tx.outputs)) fail('unsorted-outputs');
  checkForm(p, fail);
  checkAmounts(p, fail);
  checkKeyImagesAndOffsets(rules, p, fail);
  checkOutputs(rules, p, txId, fail);
  const keys = p.tx.outputs.flatMap(({ target }) => ('key' in target ? [target.key] : []));
  const isCarrot = areCarrot(p.tx.outputs);
  const pending: PendingChecks = {
    points: keys,
    torsionFree: isCarrot ? [...keys, ...(p.tx.rct?.outPk ?? [])] : undefined,
    keyImages: keyImagesOf(p.tx),
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

/** Bytes, version, unlock time, tx_extra, weight. */
function checkSizeAndVersion(rules: ForkRules, p: ParsedTransaction, fail: Fail): void {
  if (p.blob.length > MAX_TX_SIZE) fail('tx-too-big', `${p.blob.length} bytes`);
  const { version, unlockTime, extra } = p.tx;
  if (version > rules.maxTxVersion || version < rules.minTxVersionUnmixable)
    fail('tx-version', `version ${version}`);
  if (rules.zeroUnlockTime && unlockTime !== 0n) fail('nonzero-unlock-time', `${unlockTime}`);
  if (rules.maxExtra !== undefined && extra.length > rules.maxExtra)
    fail('tx-extra-too-big', `${extra.length} bytes`);
  if (rules.maxTxWeight === undefined) return;
  const weight = transactionWeight(p);
  if (weight > rules.maxTxWeight) {
    fail('tx-too-big', `weight ${weight}, the limit is ${rules.maxTxWeight}`);
  }
}

/** Kinds of inputs and outputs, and the parts an output must have. */
function checkForm({ tx }: ParsedTransaction, fail: Fail): void {
  if (tx.inputs.length === 0) fail('no-inputs');
  for (const input of tx.inputs) {
    if (input.kind !== 'key') fail('input-type', input.kind);
  }
  for (const { target, amount } of tx.outputs) {
    if (!('key' in target)) fail('output-key', target.kind);
    if (tx.version === 1 && amount === 0n) fail('output-amount', 'version 1 and amount 0');
  }
  if (tx.version === 1) return;
  const commitments = tx.rct?.outPk.length ?? 0;
  if (commitments !== tx.outputs.length) {
    fail('out-pk-count', `${commitments} for ${tx.outputs.length} outputs`);
  }
}

/** No overflow, and in version 1 a fee. */
function checkAmounts({ tx }: ParsedTransaction, fail: Fail): void {
  const inputs = sumU64(tx.inputs.map((input) => (input.kind === 'key' ? input.amount : 0n)));
  const outputs = sumU64(tx.outputs.map((output) => output.amount));
  if (inputs === undefined || outputs === undefined) return fail('amount-overflow');
  if (tx.version === 1 && inputs <= outputs) {
    fail('overspend', `inputs ${inputs}, outputs ${outputs}`);
  }
}

/** Key images and key offsets without duplicates. */
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
    // The rule is about offsets: one that wraps may still lead back to an earlier member.
    if (keyOffsets.indexOf(0n, 1) > 0) fail('duplicate-ring-member');
  }
}

/** Output targets, output amounts, RingCT type. */
function checkOutputs(rules: ForkRules, { tx }: ParsedTransaction, txId: string, fail: Fail): void {
  if (!areOutputTypesAllowed(rules.outputTargets, tx.outputs)) fail('output-type');
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
  if ((type === FCMP_TYPE) !== areCarrot(tx.outputs)) fail('output-type', `of type ${type}`);
}
