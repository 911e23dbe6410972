/**
 * Flags of a `/send_raw_transaction` answer that an error sets (on_send_raw_tx in
 * src/rpc/core_rpc_server.cpp).
 */
export type RpcFlag =
  | 'double_spend'
  | 'fee_too_low'
  | 'invalid_input'
  | 'invalid_output'
  | 'low_mixin'
  | 'nonzero_unlock_time'
  | 'overspend'
  | 'too_big'
  | 'too_few_outputs'
  | 'tx_extra_too_big';

/** One code per class of rule. */
export type ConsensusErrorCode =
  // blocks: form
  /** The block's bytes do not decode. */
  | 'bad-block-blob'
  /** The block's bytes exceed twice the effective median plus the leeway. */
  | 'block-blob-too-big'
  /** The id does not match the special case of block 202612. */
  | 'bad-block-hash'
  // blocks: header
  /** prev_id is not the id of the block below. */
  | 'bad-prev-id'
  /** Major version is not the fork's, or the vote (minor version) is below it. */
  | 'wrong-version'
  /** Timestamp is below the median of the last 60 blocks. */
  | 'timestamp-too-old'
  /** Timestamp is more than two hours ahead of this node's clock. */
  | 'timestamp-too-new'
  /** The next difficulty does not fit 128 bits. */
  | 'difficulty-overflow'
  /** The proof-of-work hash does not meet the difficulty. */
  | 'bad-proof-of-work'
  /** The id differs from the checkpoint at this height. */
  | 'checkpoint-mismatch'
  /** An alternative block at or below the newest checkpoint, or replacing genesis. */
  | 'below-checkpoint'
  // blocks: miner transaction
  /** The miner transaction has no input, several, or one that is not of type gen. */
  | 'miner-tx-inputs'
  /** The miner transaction's version is not allowed at this fork. */
  | 'miner-tx-version'
  /** The miner transaction carries a RingCT type other than null. */
  | 'miner-tx-rct'
  /** The miner input names another height. */
  | 'miner-tx-height'
  /** unlock_time is not height + 60. */
  | 'miner-tx-unlock'
  /** The miner transaction's amounts overflow 64 bits. */
  | 'miner-tx-overflow'
  /** A miner output target of a type not allowed at this fork. */
  | 'miner-tx-output-type'
  /** A miner amount is not one decimal digit followed by zeros (fork 3 only). */
  | 'miner-tx-decomposition'
  /** A version 1 miner output of amount 0. */
  | 'miner-tx-zero-output'
  /** The miner takes more, or (where exactness is asked) other, than reward plus fees. */
  | 'miner-tx-amount'
  // blocks: contents
  /** The block's weight exceeds twice the median. */
  | 'block-too-big'
  /** A listed transaction is not at hand. */
  | 'missing-tx'
  /** A transaction is listed twice or is already in the chain. */
  | 'duplicate-tx'
  // transactions: rules that need no chain
  /** The transaction's bytes do not decode. */
  | 'bad-tx-blob'
  /** Over 1,000,000 bytes or over the weight limit. */
  | 'tx-too-big'
  /** Transaction version not allowed at this fork. */
  | 'tx-version'
  /** The transaction has no inputs. */
  | 'no-inputs'
  /** An input that does not spend a key output. */
  | 'input-type'
  /** An output key is missing or not a curve point. */
  | 'output-key'
  /** An output amount of 0 in version 1, or not 0 in version 2. */
  | 'output-amount'
  /** A version 1 output amount is not one decimal digit followed by zeros. */
  | 'output-decomposition'
  /** An output target of a type not allowed at this fork, or mixed types. */
  | 'output-type'
  /** The number of output commitments differs from the number of outputs. */
  | 'out-pk-count'
  /** Input or output amounts overflow 64 bits. */
  | 'amount-overflow'
  /** Version 1: outputs take as much as, or more than, the inputs. */
  | 'overspend'
  /** The same key image twice in one transaction. */
  | 'duplicate-key-image'
  /** A zero key offset: the same ring member twice in a row. */
  | 'duplicate-ring-member'
  /** A key image that is not a point of the prime-order subgroup. */
  | 'bad-key-image'
  /** RingCT type not allowed at this fork. */
  | 'rct-type'
  /** Proof counts that do not match inputs or outputs. */
  | 'proof-layout'
  /** A range proof does not verify. */
  | 'bad-range-proof'
  /** Commitments of inputs and outputs do not balance. */
  | 'bad-balance'
  // transactions: rules against the chain
  /** Fewer outputs than the fork asks for. */
  | 'too-few-outputs'
  /** Version 1 although all inputs could be mixed. */
  | 'not-ringct'
  /** Ring size not allowed at this fork. */
  | 'ring-size'
  /** More than one mixable input beside unmixable ones. */
  | 'mixable-inputs'
  /** Inputs not in strictly descending order of key images. */
  | 'unsorted-inputs'
  /** An input without ring members. */
  | 'empty-ring'
  /** The key image is already spent. */
  | 'double-spend'
  /** A ring member that does not exist in the chain below. */
  | 'ring-member-missing'
  /** A ring member that is still locked. */
  | 'ring-member-locked'
  /** A ring member from one of the last ten blocks. */
  | 'ring-member-too-young'
  /** A ring signature does not verify. */
  | 'bad-ring-signature'
  // relay policy (never applied to transactions that arrive in a block)
  /** The key image is spent by another transaction of the pool. */
  | 'pool-double-spend'
  /** The fee is below what this node relays. */
  | 'fee-too-low'
  /** tx_extra over 1,060 bytes. */
  | 'tx-extra-too-big'
  /** unlock_time is not 0. */
  | 'nonzero-unlock-time';

export interface ConsensusErrorInfo {
  /** For a person. */
  readonly sentence: string;
  /** The first of `rpcFlags`. */
  readonly rpcFlag?: RpcFlag;
  /** Flags that `/send_raw_transaction` sets; none: only status "Failed". */
  readonly rpcFlags: readonly RpcFlag[];
  /** What `/send_raw_transaction` says in `reason`; absent: nothing. */
  readonly reason?: string;
  /**
   * What it costs the peer it came from, when it came as such (see penaltyOf for transactions
   * inside blocks): NO_OFFENSE, 0 to drop the link, more to add that many points to the host's score.
   */
  readonly penalty: number;
}

/** The peer cannot be blamed: the link stays. */
export const NO_OFFENSE = -1;

const FLAG_REASONS: Readonly<Record<RpcFlag, string>> = {
  low_mixin: 'bad ring size',
  double_spend: 'double spend',
  invalid_input: 'invalid input',
  invalid_output: 'invalid output',
  too_big: 'too big',
  overspend: 'overspend',
  fee_too_low: 'fee too low',
  too_few_outputs: 'too few outputs',
  tx_extra_too_big: 'tx-extra too big',
  nonzero_unlock_time: 'tx unlock time is not zero',
};

/** Reasons are given in the order of FLAG_REASONS. */
function info(sentence: string, penalty: number, rpcFlags: readonly RpcFlag[]): ConsensusErrorInfo {
  const [rpcFlag] = rpcFlags;
  if (rpcFlag === undefined) return { sentence, rpcFlags, penalty };
  const reason = rpcFlags.map((flag) => FLAG_REASONS[flag]).join(', ');
  return { sentence, rpcFlag, rpcFlags, reason, penalty };
}

const block = (sentence: string, penalty = 1) => info(sentence, penalty, []);
/** A rule of the transaction itself. */
const tx = (sentence: string, ...flags: RpcFlag[]) => info(sentence, 0, flags);
/** A rule of inputs against the chain: the pool adds "invalid input" to all of them. */
const input = (sentence: string, ...flags: RpcFlag[]) =>
  info(sentence, 0, [...flags, 'invalid_input']);
const relay = (sentence: string, flag: RpcFlag) => info(sentence, NO_OFFENSE, [flag]);

/** The one place that maps an error code to what people, RPC clients and peers get to see. */
export const CONSENSUS_ERRORS: Readonly<Record<ConsensusErrorCode, ConsensusErrorInfo>> = {
  'bad-block-blob': block('the block cannot be decoded', 0),
  'block-blob-too-big': block('the block has too many bytes'),
  'bad-block-hash': block('the block claims the id of another block'),
  'bad-prev-id': block('the block does not follow the block below it'),
  'wrong-version': block('the block has the wrong version for its height'),
  'timestamp-too-old': block('the block is dated before the median of the last 60 blocks'),
  'timestamp-too-new': block('the block is dated more than two hours ahead of the clock'),
  'difficulty-overflow': block('the difficulty does not fit 128 bits'),
  'bad-proof-of-work': block('the proof of work does not meet the difficulty', 10),
  'checkpoint-mismatch': block('the block differs from the checkpoint at its height'),
  'below-checkpoint': block('the alternative block lies below a checkpoint'),
  'miner-tx-inputs': block('the miner transaction must have exactly one input of type gen'),
  'miner-tx-version': block('the miner transaction has the wrong version'),
  'miner-tx-rct': block('the miner transaction must not carry RingCT proofs'),
  'miner-tx-height': block('the miner transaction names another height'),
  'miner-tx-unlock': block('the miner transaction has the wrong unlock time'),
  'miner-tx-overflow': block('the amounts of the miner transaction overflow'),
  'miner-tx-output-type': block('the miner transaction has an output of the wrong type'),
  'miner-tx-decomposition': block('an amount of the miner transaction has more than one digit'),
  'miner-tx-zero-output': block('the miner transaction has an output of amount 0'),
  'miner-tx-amount': block('the miner transaction pays out the wrong amount'),
  'block-too-big': block('the block weighs more than twice the median'),
  'missing-tx': block('a transaction of the block is missing', NO_OFFENSE),
  'duplicate-tx': block('a transaction of the block is listed twice or already in the chain'),
  'bad-tx-blob': tx('the transaction cannot be decoded'),
  'tx-too-big': tx('the transaction is too big', 'too_big'),
  'tx-version': tx('the transaction has the wrong version'),
  'no-inputs': tx('the transaction has no inputs', 'invalid_input'),
  'input-type': tx('an input does not spend a key output', 'invalid_input'),
  'output-key': tx('an output key is missing or not a curve point', 'invalid_output'),
  'output-amount': tx('an output has an amount that is not allowed', 'invalid_output'),
  'output-decomposition': tx('an output amount has more than one digit', 'invalid_output'),
  'output-type': tx('an output has the wrong type', 'invalid_output'),
  'out-pk-count': tx('the number of output commitments is wrong', 'invalid_output'),
  'amount-overflow': tx('the amounts of the transaction overflow', 'overspend'),
  overspend: tx('the outputs take as much as the inputs bring', 'overspend'),
  'duplicate-key-image': tx('a key image appears twice in the transaction', 'invalid_input'),
  'duplicate-ring-member': tx('a ring member appears twice in a row', 'invalid_input'),
  'bad-key-image': tx('a key image is not a point of the prime-order subgroup', 'invalid_input'),
  'rct-type': tx('the RingCT type is not allowed', 'invalid_output'),
  'proof-layout': tx('the number or size of proofs is wrong', 'invalid_input'),
  'bad-range-proof': tx('a range proof does not verify', 'invalid_input'),
  'bad-balance': tx('inputs, outputs and fee do not balance', 'invalid_input'),
  'too-few-outputs': info('the transaction has too few outputs', 0, [
    'invalid_input',
    'too_few_outputs',
  ]),
  'not-ringct': input('only transactions of unmixable outputs may do without RingCT'),
  'ring-size': input('the ring size is not allowed', 'low_mixin'),
  'mixable-inputs': input('more than one mixable input beside unmixable ones', 'low_mixin'),
  'unsorted-inputs': input('the inputs are not sorted by key image'),
  'empty-ring': input('an input has no ring members'),
  'double-spend': input('an output is spent twice', 'double_spend'),
  'ring-member-missing': input('a ring member does not exist'),
  'ring-member-locked': input('a ring member is still locked'),
  'ring-member-too-young': input('a ring member is too young'),
  'bad-ring-signature': input('a ring signature does not verify'),
  'pool-double-spend': relay('another transaction of the pool spends the same', 'double_spend'),
  'fee-too-low': relay('the fee is too low', 'fee_too_low'),
  'tx-extra-too-big': relay('tx_extra is too big', 'tx_extra_too_big'),
  'nonzero-unlock-time': relay('the unlock time is not 0', 'nonzero_unlock_time'),
};

/**
 * What an error costs the peer that sent the block or transaction it was found in: NO_OFFENSE, 0 to
 * drop the link, more to add that many points to the host's score. In a block, a bad transaction is
 * the block's fault.
 */
export function penaltyOf(code: ConsensusErrorCode, carrier: 'block' | 'transaction'): number {
  const { penalty } = CONSENSUS_ERRORS[code];
  const decoding = code === 'bad-tx-blob' || code === 'bad-block-blob';
  if (carrier === 'transaction' || decoding || code === 'missing-tx') return penalty;
  return Math.max(1, penalty);
}
