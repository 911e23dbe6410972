export { Blockchain } from './blockchain.ts';
export type { BlockchainDependencies, BlockchainOptions } from './blockchain.ts';
export { silentLogger } from './logger.ts';
export type { Logger } from './logger.ts';
export type {
  AddBlockResult,
  AddedBlock,
  BlockBundle,
  ChainEvents,
  ParsedBundle,
  SpanResult,
  VerificationCounters,
} from './types.ts';
export { UnsupportedProofError } from './unsupported-proof.ts';
