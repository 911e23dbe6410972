export { createPowHasher } from './create.ts';
export { createNonceSearcher, nonceOffset } from './nonce-searcher.ts';
export type { NonceSearch, NonceSearcher, NonceSearchResult } from './nonce-searcher.ts';
export { PowUnavailableError } from './pow-hasher.ts';
export type { PowHasher, PowRequest, RandomxRequest } from './pow-hasher.ts';
export { nextSeedHeight, SEED_EPOCH_BLOCKS, SEED_EPOCH_LAG, seedHeight } from './seed.ts';
