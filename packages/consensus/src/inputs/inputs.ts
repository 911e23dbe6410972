import { compareBytes, FCMP_TYPE, toHex } from '@monero-node/codec';
import type { CurveTreeRoot, ParsedTransaction, TxInput } from '@monero-node/codec';
import type { Fail } from '../errors/fail.ts';
import { ConsensusError } from '../errors/consensus-error.ts';
import { ringSignaturesOf } from './ring-signatures.ts';
import type { RingSignatures } from './ring-signatures.ts';
import { checkRingSizes } from './ring-size.ts';
import { messageOf, pseudoOutsOf } from '../transaction/proofs.ts';
import type { ForkRules } from '../forks/fork-table.ts';
import { readRings } from './rings.ts';
import type { RingSource } from './rings.ts';

/**
 * The queries of input rules to the chain below `height`. They do not see the block being checked,
 * because its own outputs cannot be spent in it.
 */
export interface ChainLookup extends RingSource {
  /** Hard fork version of that block. */
  readonly version: number;
  /** Returns the number of outputs of an amount, including locked ones. */
  outputCount(amount: bigint): number;
  /**
   * Returns the curve tree that proofs with this reference block are made against; undefined if the chain does not know it. A chain without
   * a tree knows none.
   *
   * @param referenceBlock from 1 to below `height`
   */
  treeRoot?(referenceBlock: number): CurveTreeRoot | undefined;
}

type KeyInput = Extract<TxInput, { kind: 'key' }>;

/**
 * Checks the rules of a transaction's inputs against the chain, in upstream's order. A transaction that
 * has not passed checkTransaction under the same rules may be reported with any code.
 *
 * Returns the ring signatures that remain to be verified ('bad-ring-signature'), or the proof of RingCT type 7
 * ('bad-membership-proof', 'spend-proof-encoding').
 *
 * Throws ConsensusError 'too-few-outputs', 'ring-size', 'mixable-inputs', 'tx-version', 'not-ringct',
 * 'unsorted-inputs', 'input-type', 'empty-ring', 'double-spend', 'ring-member-missing',
 * 'ring-member-locked', 'ring-member-too-young', 'carrot-ring-member', 'bad-ring-signature' or 'rct-type'; for RingCT
 * type 7 also those of checkFcmpInputs.
 *
 * Source: Blockchain::check_tx_inputs in src/cryptonote_core/blockchain.cpp.
 *
 * @param rules of the block at chain.height
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
  if (!haveNoRings(rules, p, fail))
    checkRingSizes(rules, p, (amount) => chain.outputCount(amount), fail);
  if (rules.sortedInputs) checkOrder(p, fail);
  const inputs = p.tx.inputs.map((input) =>
    input.kind === 'key' ? input : fail('input-type', input.kind),
  );
  if (p.tx.rct?.type === FCMP_TYPE) return checkFcmpInputs(p, inputs, chain, fail);
  const withCommitments = version !== 1;
  const { rings, youngest } = readRings(rules, inputs, chain, { withCommitments, fail });
  // The last member of a ring is the youngest unless an offset wraps; then the rule still is about the last.
  if (youngest + rules.minRingMemberAge > chain.height)
    fail('ring-member-too-young', `from block ${youngest}`);
  return ringSignaturesOf(p, rings, fail);
}

/**
 * Returns whether the inputs have no rings, as those of RingCT type 7. Throws through `fail`: 'ring-not-empty' where no input may have
 * one, and 'ring-size' when some have one and others not.
 */
function haveNoRings(rules: ForkRules, { tx }: ParsedTransaction, fail: Fail): boolean {
  if (rules.emptyRings === 'forbidden') return false;
  const isEmpty = (input: TxInput) => input.kind === 'key' && input.keyOffsets.length === 0;
  if (tx.inputs.every(isEmpty)) return true;
  if (rules.emptyRings === 'required') fail('ring-not-empty');
  if (tx.inputs.some(isEmpty)) fail('ring-size', 'some inputs have rings, others not');
  return false;
}

/**
 * Checks the rules of inputs without rings, except for their proof, which it returns.
 *
 * Throws through `fail`: 'double-spend', 'input-amount', 'ring-not-empty', 'reference-block'; and 'unverified-membership' where the chain
 * does not know the tree of the reference block.
 *
 * Source: Blockchain::check_tx_inputs and get_fcmp_tx_tree_root in src/cryptonote_core/blockchain.cpp.
 */
function checkFcmpInputs(
  p: ParsedTransaction,
  inputs: readonly KeyInput[],
  chain: ChainLookup,
  fail: Fail,
): RingSignatures {
  for (const { keyImage, amount, keyOffsets } of inputs) {
    if (chain.isSpent(keyImage)) fail('double-spend', toHex(keyImage));
    if (amount !== 0n) fail('input-amount', `${amount}`);
    if (keyOffsets.length > 0) fail('ring-not-empty');
  }
  const { fcmp } = p.tx.prunable ?? {};
  if (fcmp === undefined) return fail('proof-layout', 'no membership proof');
  const { referenceBlock, treeLayers, proof } = fcmp;
  if (referenceBlock < 1n || referenceBlock >= BigInt(chain.height))
    fail('reference-block', `${referenceBlock}, the next block is ${chain.height}`);
  const tree = chain.treeRoot?.(Number(referenceBlock));
  if (tree === undefined) return fail('unverified-membership');
  const { layers, root } = tree;
  if (layers !== treeLayers)
    fail('reference-block', `${treeLayers} layers, the tree has ${layers}`);
  const keyImages = inputs.map(({ keyImage }) => keyImage);
  const message = messageOf(p, fail);
  const statement = { message, layers, root, pseudoOuts: pseudoOutsOf(p), keyImages, proof };
  return { kind: 'fcmp-plus-plus', proofs: [statement] };
}

function checkOrder(p: ParsedTransaction, fail: Fail): void {
  let last: Uint8Array | undefined;
  for (const input of p.tx.inputs) {
    if (input.kind !== 'key') continue;
    if (last !== undefined && compareBytes(input.keyImage, last) >= 0) fail('unsorted-inputs');
    last = input.keyImage;
  }
}
