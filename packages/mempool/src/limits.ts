// Source of the figures: src/cryptonote_config.h and src/cryptonote_core/tx_pool.cpp unless said otherwise.

/** Weight above which transactions are given up, lowest fee per weight first. */
export const DEFAULT_MAX_WEIGHT = 648_000_000;

/** Seconds that a transaction may stay. */
export const LIFETIME = 3 * 24 * 3600;
/** The same for one that came from a block. */
export const LIFETIME_FROM_BLOCK = 7 * 24 * 3600;

/** Seconds between looks for transactions that are too old. */
export const EXPIRY_INTERVAL = 30;

/** Mean seconds after which a stem transaction that was not seen again is made public. */
export const EMBARGO_AVERAGE = 39;
/** Mean seconds that a transaction from an anonymity network is held. */
export const FORWARD_DELAY_AVERAGE = 22;
/** Bounds of the seconds between two relays of a transaction. */
export const MIN_RELAY_DELAY = 5 * 60;
export const MAX_RELAY_DELAY = 4 * 3600;
/** Seconds after which transactions to be relayed are looked for at the latest. */
export const MAX_RELAY_CHECK = 2 * 60;

/** Entries and seconds of the memory of removals. */
export const MAX_REMOVALS = 20_000;
export const REMOVALS_KEPT = 30 * 60;

// Bounds of this program, so that a flood cannot fill its memory.

/** Transactions, and bytes of them, that may wait for verification; of clients and of peers each. */
export const MAX_PENDING = 1000;
export const MAX_PENDING_BYTES = 20_000_000;
/** Transactions of one message, or of removed blocks, that are verified at a time. */
export const VERIFIED_AT_A_TIME = 8;
/** Bytes of transactions given to a peer at a time; the largest message has 100,000,000. */
export const MAX_COMPLEMENT_BYTES = 50_000_000;
/** Ids of transactions that ran out of time and are not taken again. */
export const MAX_TIMED_OUT = 100_000;
/** Ids of refused transactions that are not verified again under the same tip. */
export const MAX_REFUSED = 5000;
