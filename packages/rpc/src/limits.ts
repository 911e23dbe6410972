/** Limits of a restricted listener per request. Source: src/rpc/core_rpc_server.cpp. */
export const MAX_RESTRICTED_BLOCKS = 1000;
export const MAX_RESTRICTED_HEADER_RANGE = 1000;
export const MAX_RESTRICTED_TRANSACTIONS = 100;
export const MAX_RESTRICTED_KEY_IMAGES = 5000;
export const MAX_RESTRICTED_OUTPUTS = 5000;
/** Transactions that one search by part of an id may find; elsewhere ten times as many. */
export const MAX_RESTRICTED_LOOSE_TXIDS = 5000;
export const MAX_LOOSE_TXIDS = 50_000;
/** Seconds back that a restricted histogram may look. */
export const MAX_RESTRICTED_RECENT_CUTOFF = 3 * 86_400;
/** Pool transactions that `/get_blocks.bin` returns in full; of the others it returns the ids. */
export const MAX_POOL_BODIES = 20_000;
