/**
 * The code of every rule that a block or transaction can break, with the sentence that says so to a
 * person. The comment above each code states the broken condition exactly. The flags that RPC clients
 * get for a code are a table of the rpc package, the penalties of peers one of the p2p package.
 */
export const CONSENSUS_ERROR_SENTENCES = {
  // blocks: form
  /** The block's bytes do not decode. */
  'bad-block-blob': 'the block cannot be decoded',
  /** The block's bytes exceed twice the effective median plus the leeway. */
  'block-blob-too-big': 'the block has too many bytes',
  /** The id does not match the special case of block 202612. */
  'bad-block-hash': 'the block claims the id of another block',
  // blocks: header
  /** prev_id is not the id of the block below. */
  'bad-prev-id': 'the block does not follow the block below it',
  /** Major version is not the fork's, or the vote (minor version) is below it. */
  'wrong-version': 'the block has the wrong version for its height',
  /** Timestamp is below the median of the last 60 blocks. */
  'timestamp-too-old': 'the block is dated before the median of the last 60 blocks',
  /** Timestamp is more than two hours ahead of this node's clock. */
  'timestamp-too-new': 'the block is dated more than two hours ahead of the clock',
  /** The next difficulty does not fit 128 bits. */
  'difficulty-overflow': 'the difficulty does not fit 128 bits',
  /** The proof-of-work hash does not meet the difficulty. */
  'bad-proof-of-work': 'the proof of work does not meet the difficulty',
  /** It does not meet the difficulty by one computation; there was no time for a second one. */
  'unconfirmed-proof-of-work': 'the proof of work seems bad, which was not confirmed',
  /** The id differs from the checkpoint at this height. */
  'checkpoint-mismatch': 'the block differs from the checkpoint at its height',
  /** An alternative block at or below the newest checkpoint, or replacing genesis. */
  'below-checkpoint': 'the alternative block lies below a checkpoint',
  /** Layers or root of the curve tree are not those of the chain below (from fork 17 on). */
  'tree-root': 'the block commits to another curve tree',
  // blocks: miner transaction
  /** The miner transaction has no input, several, or one that is not of type gen. */
  'miner-tx-inputs': 'the miner transaction must have exactly one input of type gen',
  /** The miner transaction's version is not allowed at this fork. */
  'miner-tx-version': 'the miner transaction has the wrong version',
  /** The miner transaction carries a RingCT type other than null. */
  'miner-tx-rct': 'the miner transaction must not carry RingCT proofs',
  /** The miner input names another height. */
  'miner-tx-height': 'the miner transaction names another height',
  /** unlock_time is not height + 60. */
  'miner-tx-unlock': 'the miner transaction has the wrong unlock time',
  /** The miner transaction's amounts overflow 64 bits. */
  'miner-tx-overflow': 'the amounts of the miner transaction overflow',
  /** A miner output target of a type not allowed at this fork. */
  'miner-tx-output-type': 'the miner transaction has an output of the wrong type',
  /** The output keys of the miner transaction do not ascend (from fork 17 on). */
  'miner-tx-unsorted-outputs': 'the outputs of the miner transaction are not sorted by key',
  /** The miner transaction has too many bytes of tx_extra (from fork 17 on). */
  'miner-tx-extra': 'tx_extra of the miner transaction is too big',
  /** The miner transaction has too many outputs (from fork 17 on). */
  'miner-tx-output-count': 'the miner transaction has too many outputs',
  /** A miner amount is not one decimal digit followed by zeros (fork 3 only). */
  'miner-tx-decomposition': 'an amount of the miner transaction has more than one digit',
  /** A version 1 miner output of amount 0. */
  'miner-tx-zero-output': 'the miner transaction has an output of amount 0',
  /** The miner takes more, or (where exactness is asked) other, than reward plus fees. */
  'miner-tx-amount': 'the miner transaction pays out the wrong amount',
  // blocks: contents
  /** The block's weight exceeds twice the median. */
  'block-too-big': 'the block weighs more than twice the median',
  /** A listed transaction is not at hand. */
  'missing-tx': 'a transaction of the block is missing',
  /** A transaction is listed twice or is already in the chain. */
  'duplicate-tx': 'a transaction of the block is listed twice or already in the chain',
  // transactions: rules that need no chain
  /** The transaction's bytes do not decode. */
  'bad-tx-blob': 'the transaction cannot be decoded',
  /** Over 1,000,000 bytes or over the weight limit. */
  'tx-too-big': 'the transaction is too big',
  /** Transaction version not allowed at this fork. */
  'tx-version': 'the transaction has the wrong version',
  /** The transaction has no inputs. */
  'no-inputs': 'the transaction has no inputs',
  /** An input that does not spend a key output. */
  'input-type': 'an input does not spend a key output',
  /** An output key is missing or not a curve point. */
  'output-key': 'an output key is missing or not a curve point',
  /** An output amount of 0 in version 1, or not 0 in version 2. */
  'output-amount': 'an output has an amount that is not allowed',
  /** A version 1 output amount is not one decimal digit followed by zeros. */
  'output-decomposition': 'an output amount has more than one digit',
  /** An output target of a type not allowed at this fork, or mixed types. */
  'output-type': 'an output has the wrong type',
  /** The number of output commitments differs from the number of outputs. */
  'out-pk-count': 'the number of output commitments is wrong',
  /** Input or output amounts overflow 64 bits. */
  'amount-overflow': 'the amounts of the transaction overflow',
  /** Version 1: outputs take as much as, or more than, the inputs. */
  overspend: 'the outputs take as much as the inputs bring',
  /** The same key image twice in one transaction. */
  'duplicate-key-image': 'a key image appears twice in the transaction',
  /** A zero key offset: the same ring member twice in a row. */
  'duplicate-ring-member': 'a ring member appears twice in a row',
  /** A key image that is not a point of the prime-order subgroup. */
  'bad-key-image': 'a key image is not a point of the prime-order subgroup',
  /** A key image that is not the encoding of a point. */
  'key-image-encoding': 'a key image is not a curve point',
  /** RingCT type not allowed at this fork. */
  'rct-type': 'the RingCT type is not allowed',
  /** Proof counts that do not match inputs or outputs. */
  'proof-layout': 'the number or size of proofs is wrong',
  /** A range proof does not verify. */
  'bad-range-proof': 'a range proof does not verify',
  /** Commitments of inputs and outputs do not balance. */
  'bad-balance': 'inputs, outputs and fee do not balance',
  /** Output keys that do not ascend (from fork 17 on). */
  'unsorted-outputs': 'the outputs are not sorted by key',
  /** A key or a commitment of a Carrot output, of a miner transaction too, that is no point of the prime-order subgroup. */
  'torsioned-output': 'a point of an output is not of prime order',
  // transactions: rules against the chain
  /** Fewer outputs than the fork asks for. */
  'too-few-outputs': 'the transaction has too few outputs',
  /** Version 1 although all inputs could be mixed. */
  'not-ringct': 'only transactions of unmixable outputs may do without RingCT',
  /** Ring size not allowed at this fork. */
  'ring-size': 'the ring size is not allowed',
  /** More than one mixable input beside unmixable ones. */
  'mixable-inputs': 'more than one mixable input beside unmixable ones',
  /** Inputs not in strictly descending order of key images. */
  'unsorted-inputs': 'the inputs are not sorted by key image',
  /** An input without ring members. */
  'empty-ring': 'an input has no ring members',
  /** The key image is already spent. */
  'double-spend': 'an output is spent twice',
  /** A ring member that does not exist in the chain below. */
  'ring-member-missing': 'a ring member does not exist',
  /** A ring member that is still locked. */
  'ring-member-locked': 'a ring member is still locked',
  /** A ring member from one of the last ten blocks. */
  'ring-member-too-young': 'a ring member is too young',
  /** An input has ring members although the fork or the RingCT type has none. */
  'ring-not-empty': 'an input has ring members, but must not',
  /** An input of RingCT type 7 states an amount. */
  'input-amount': 'an input states an amount',
  /** A ring member is a Carrot output, which only a membership proof may spend. */
  'carrot-ring-member': 'a ring member is a Carrot output',
  /** The reference block is not in the chain below, or its tree has another number of layers. */
  'reference-block': 'the membership proof refers to an unknown tree',
  /** The tree of the reference block is not known to this node, so the proof cannot be verified. */
  'unverified-membership': 'this node cannot verify the membership proof',
  /** The FCMP++ proof does not verify. */
  'bad-membership-proof': 'the membership or spend proof does not verify',
  /** A scalar of a spend proof is not below the order of the group. */
  'spend-proof-encoding': 'a spend proof has a number that is too big',
  /** A ring signature does not verify. */
  'bad-ring-signature': 'a ring signature does not verify',
  // relay policy (never applied to transactions that arrive in a block)
  /** The key image is spent by another transaction of the pool. */
  'pool-double-spend': 'another transaction of the pool spends the same',
  /** The fee is below what this node relays. */
  'fee-too-low': 'the fee is too low',
  /** tx_extra over 1,060 bytes. */
  'tx-extra-too-big': 'tx_extra is too big',
  /** unlock_time is not 0. */
  'nonzero-unlock-time': 'the unlock time is not 0',
} as const satisfies Readonly<Record<string, string>>;

/** One code per class of rule. */
export type ConsensusErrorCode = keyof typeof CONSENSUS_ERROR_SENTENCES;
