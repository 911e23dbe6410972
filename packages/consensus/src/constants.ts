// Source of every figure: src/cryptonote_config.h unless said otherwise.

/** Blocks until a coinbase output may be spent. */
export const COINBASE_UNLOCK = 60;
/** Blocks until any output may be a ring member (fork 12+). */
export const SPENDABLE_AGE = 10;
/** Timestamps that make up the lower bound of the next block's timestamp. */
export const TIMESTAMP_WINDOW = 60;
/** Seconds a block may be ahead of the clock. */
export const FUTURE_TIME_LIMIT = 7200;
/** Blocks (newest) that the difficulty is computed from, the lag of 15 included. */
export const DIFFICULTY_BLOCKS = 735;
/** Blocks of the short-term weight median. */
export const SHORT_TERM_WINDOW = 100;
/** Blocks of the long-term weight median. */
export const LONG_TERM_WINDOW = 100_000;
/** Bytes of the largest transaction. */
export const MAX_TX_SIZE = 1_000_000;
/** Bytes that a block may exceed the weight limit by, headers and hash list being outside the weight. */
export const BLOCK_SIZE_LEEWAY = 100;
/** Bytes set aside for the miner transaction in templates and weight limits. */
export const COINBASE_RESERVED_SIZE = 600;
/** unlock_time below this is a height, from here on Unix seconds. */
export const MAX_UNLOCK_HEIGHT = 500_000_000n;
/** Bytes of tx_extra that are relayed. */
export const MAX_RELAYED_EXTRA = 1060;
/** Blocks in the window of fork votes. */
export const VOTE_WINDOW = 10_080;
/** Fees are a multiple of this where quantized: 10^4 atomic units. */
export const FEE_QUANTIZATION = 10_000n;
export const MAX_U64 = (1n << 64n) - 1n;
