/** The cache of RandomX in a shared memory (specification, 7.1): 2^22 items of 64 bytes. */
export const ITEM_SIZE = 64;
export const CACHE_ITEMS = 4194304;
/** Bytes of a block of Argon2d, which fills the same memory. */
export const BLOCK_SIZE = 1024;
export const BLOCKS = 262144;
export const ARGON2_PASSES = 3;
/** Pages of 64 KiB; the last one is Argon2d's work area. */
export const CACHE_PAGES = 4097;
