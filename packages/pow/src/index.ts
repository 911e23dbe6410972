export { createPowHasher, type PowEngine, type PowHasherOptions } from './create.ts';
export { cryptonightVariant, type CryptonightVariant } from './cryptonight-variant.ts';
export { PowInputError, PowUnavailableError, type PowUnavailableCode } from './errors.ts';
export { createNonceSearcher, HashingNonceSearcher, nonceOffset } from './nonce-searcher.ts';
export type {
  CryptonightRequest,
  DatasetEvent,
  DatasetUse,
  NonceSearch,
  NonceSearcher,
  NonceSearchResult,
  PowHasher,
  PowRequest,
  RandomxRequest,
  RandomxVersion,
} from './pow-hasher.ts';
export { isRandomx, randomxCommitment } from './randomx.ts';
export {
  ConfirmingHasher,
  type ConfirmingEngines,
  type ConfirmingOptions,
} from './second-opinion/confirming-hasher.ts';
export type { PowIncident } from './second-opinion/incident.ts';
export { nextSeedHeight, SEED_EPOCH_BLOCKS, SEED_EPOCH_LAG, seedEnd, seedHeight } from './seed.ts';
