/**
 * Sum of weights above which transactions are evicted, lowest fee per weight first.
 * Source: DEFAULT_TXPOOL_MAX_WEIGHT in src/cryptonote_config.h.
 */
export const DEFAULT_MAX_WEIGHT = 648_000_000;

/**
 * Seconds that a transaction may stay in the pool.
 * Source: CRYPTONOTE_MEMPOOL_TX_LIVETIME in src/cryptonote_config.h.
 */
export const LIFETIME = 3 * 24 * 3600;
/**
 * Seconds that a transaction from a block may stay in the pool.
 * Source: CRYPTONOTE_MEMPOOL_TX_FROM_ALT_BLOCK_LIVETIME in src/cryptonote_config.h.
 */
export const LIFETIME_FROM_BLOCK = 7 * 24 * 3600;

/**
 * Seconds between checks for transactions that are too old.
 * Source: m_remove_stuck_tx_interval in src/cryptonote_core/tx_pool.h.
 */
export const EXPIRY_INTERVAL = 30;

/**
 * Mean seconds after which a stem transaction that has not been seen again becomes public.
 * Source: CRYPTONOTE_DANDELIONPP_EMBARGO_AVERAGE in src/cryptonote_config.h.
 */
export const EMBARGO_AVERAGE = 39;
/**
 * Mean seconds that a transaction from an anonymity network is held.
 * Source: CRYPTONOTE_FORWARD_DELAY_AVERAGE in src/cryptonote_config.h.
 */
export const FORWARD_DELAY_AVERAGE = 22;
/**
 * Lower bound of the seconds between two relays of a transaction.
 * Source: MIN_RELAY_TIME in src/cryptonote_core/tx_pool.cpp.
 */
export const MIN_RELAY_DELAY = 5 * 60;
/**
 * Upper bound of the seconds between two relays of a transaction.
 * Source: MAX_RELAY_TIME in src/cryptonote_core/tx_pool.cpp.
 */
export const MAX_RELAY_DELAY = 4 * 3600;
/**
 * Upper bound of the seconds between two checks for transactions that are due.
 * Source: max_relayable_check in src/cryptonote_core/tx_pool.cpp.
 */
export const MAX_RELAY_CHECK = 2 * 60;

/**
 * Number of removals that are remembered.
 * Source: MAX_REMOVED in src/cryptonote_core/tx_pool.cpp.
 */
export const MAX_REMOVALS = 20_000;
/**
 * Seconds that removals are remembered.
 * Source: tx_memory_pool::track_removed_tx in src/cryptonote_core/tx_pool.cpp.
 */
export const REMOVALS_KEPT = 30 * 60;

// Bounds of this implementation, so that a flood cannot fill its memory.

/** Transactions that may wait for verification, for clients and for peers each. */
export const MAX_PENDING = 1000;
/** Bytes of transactions that may wait for verification, for clients and for peers each. */
export const MAX_PENDING_BYTES = 20_000_000;
/**
 * Inputs with FCMP++ proofs that may wait for verification, for clients and for peers each: seven seconds of work of one thread, one of the
 * largest transactions at least.
 */
export const MAX_PENDING_INPUTS = 256;
/** Inputs with FCMP++ proofs of one message that are verified at the same time, unless a transaction has more. */
export const INPUTS_AT_A_TIME = 32;
/** Transactions of one message, or of removed blocks, that are verified at the same time. */
export const VERIFIED_AT_A_TIME = 8;
/** Bytes of transactions sent to a peer at once; the largest message has 100,000,000. */
export const MAX_COMPLEMENT_BYTES = 50_000_000;
/**
 * Seconds after which changes that nobody waits for are stored at the latest: each commit writes some 50 kB to the disk, whatever is
 * in it.
 */
export const SAVE_INTERVAL = 10;
/** Weight of new and removed transactions whose bytes may be in memory, until the next time that changes are stored, while peers send more. */
export const MAX_UNSAVED_WEIGHT = 5_000_000;
/** Ids of expired transactions that are not accepted again. */
export const MAX_TIMED_OUT = 100_000;
/** Ids of invalid transactions that are not verified again under the same tip. */
export const MAX_REFUSED = 5000;
