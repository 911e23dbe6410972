// Constants of src/cryptonote_config.h, each with its name there, unless another file is given.

/**
 * Blocks until a coinbase output may be spent.
 * Source: CRYPTONOTE_MINED_MONEY_UNLOCK_WINDOW in src/cryptonote_config.h.
 */
export const COINBASE_UNLOCK = 60;

/**
 * Blocks until an output may be a ring member, from fork 12 on.
 * Source: CRYPTONOTE_DEFAULT_TX_SPENDABLE_AGE in src/cryptonote_config.h.
 */
export const SPENDABLE_AGE = 10;

/**
 * Indexes that a curve tree is ahead of the newest block: the age at which an output may be spent, less the block that spends it. Tree index
 * k has the outputs that a block at height k + 1 may spend. Source: get_default_last_locked_block_index in
 * src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export const TREE_AHEAD = SPENDABLE_AGE - 1;

/**
 * Indexes that the tree to which a header commits is ahead of its block: that of the block below it. Source:
 * Blockchain::get_fcmp_tx_tree_root in src/cryptonote_core/blockchain.cpp.
 */
export const COMMITTED_AHEAD = TREE_AHEAD - 1;

/**
 * Number of blocks whose median timestamp is the lower bound of the next block's timestamp.
 * Source: BLOCKCHAIN_TIMESTAMP_CHECK_WINDOW in src/cryptonote_config.h.
 */
export const TIMESTAMP_WINDOW = 60;

/**
 * Seconds that a block's timestamp may be ahead of the clock.
 * Source: CRYPTONOTE_BLOCK_FUTURE_TIME_LIMIT in src/cryptonote_config.h.
 */
export const FUTURE_TIME_LIMIT = 7200;

/**
 * Number of the newest blocks that the difficulty is computed from, including the lag of 15 blocks.
 * Source: DIFFICULTY_BLOCKS_COUNT in src/cryptonote_config.h.
 */
export const DIFFICULTY_BLOCKS = 735;

/**
 * Blocks in the window of the short-term weight median.
 * Source: CRYPTONOTE_REWARD_BLOCKS_WINDOW in src/cryptonote_config.h.
 */
export const SHORT_TERM_WINDOW = 100;

/**
 * Blocks in the window of the long-term weight median.
 * Source: CRYPTONOTE_LONG_TERM_BLOCK_WEIGHT_WINDOW_SIZE in src/cryptonote_config.h.
 */
export const LONG_TERM_WINDOW = 100_000;

/**
 * Bytes of the largest transaction.
 * Source: CRYPTONOTE_MAX_TX_SIZE in src/cryptonote_config.h.
 */
export const MAX_TX_SIZE = 1_000_000;

/**
 * Most outputs that the range proofs of a transaction with Bulletproofs may cover.
 * Source: BULLETPROOF_MAX_OUTPUTS in src/cryptonote_config.h.
 */
export const MAX_BULLETPROOF_OUTPUTS = 16;

/**
 * Bytes by which a block's blob may exceed the weight limit, because the weight does not include the
 * header and the list of transaction ids.
 * Source: BLOCK_SIZE_SANITY_LEEWAY in src/cryptonote_core/cryptonote_core.cpp.
 */
export const BLOCK_SIZE_LEEWAY = 100;

/**
 * Bytes reserved for the miner transaction in block templates and in the weight limit of transactions.
 * Source: CRYPTONOTE_COINBASE_BLOB_RESERVED_SIZE in src/cryptonote_config.h.
 */
export const COINBASE_RESERVED_SIZE = 600;

/**
 * An unlock_time below this is a block height; from here on it is a time in Unix seconds.
 * Source: CRYPTONOTE_MAX_BLOCK_NUMBER in src/cryptonote_config.h.
 */
export const MAX_UNLOCK_HEIGHT = 500_000_000n;

/**
 * Bytes of tx_extra in the largest one that is relayed, and from fork 17 on in the largest that is valid.
 * Source: MAX_TX_EXTRA_SIZE in src/cryptonote_config.h.
 */
export const MAX_EXTRA = 1060;

/**
 * Blocks in the window in which fork votes are counted.
 * Source: DEFAULT_WINDOW_SIZE in src/cryptonote_basic/hardfork.h.
 */
export const VOTE_WINDOW = 10_080;

/**
 * Quantized fees are a multiple of this many atomic units.
 * Source: Blockchain::get_fee_quantization_mask in src/cryptonote_core/blockchain.h.
 */
export const FEE_QUANTIZATION = 10_000n;

/**
 * The largest 64-bit number: the bound of amounts, and the supply in atomic units before the tail.
 * Source: MONEY_SUPPLY in src/cryptonote_config.h.
 */
export const MAX_U64 = (1n << 64n) - 1n;
