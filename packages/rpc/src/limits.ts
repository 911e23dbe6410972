// Limits per request, most of them of a restricted listener. Source: src/rpc/core_rpc_server.cpp.

/** Blocks that a restricted request may ask for. */
export const MAX_RESTRICTED_BLOCKS = 1000;
/** Headers that a restricted request for a range may ask for. */
export const MAX_RESTRICTED_HEADER_RANGE = 1000;
/** Transactions that a restricted request may ask for. */
export const MAX_RESTRICTED_TRANSACTIONS = 100;
/** Key images that a restricted request may ask about. */
export const MAX_RESTRICTED_KEY_IMAGES = 5000;
/** Outputs that a restricted request may ask for. */
export const MAX_RESTRICTED_OUTPUTS = 5000;
/** Paths of the curve tree that a restricted request may ask for. */
export const MAX_RESTRICTED_PATHS = 50;
/** Paths that an unrestricted request may ask for: about 10 kB each. Upstream has no limit. */
export const MAX_PATHS = 50_000;
/** Transactions that a restricted search by part of an id may find. */
export const MAX_RESTRICTED_LOOSE_TXIDS = 5000;
/** Transactions that an unrestricted search by part of an id may find. */
export const MAX_LOOSE_TXIDS = 50_000;
/** Seconds back that a restricted histogram may look. */
export const MAX_RESTRICTED_RECENT_CUTOFF = 3 * 86_400;
/** Pool transactions that `/get_blocks.bin` returns in full; of the others it returns the ids. */
export const MAX_POOL_BODIES = 20_000;
