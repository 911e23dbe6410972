import type { ConsensusErrorCode } from './error-codes.ts';

/** Throws a ConsensusError with the code and detail, about the block or transaction at hand. */
export type Fail = (code: ConsensusErrorCode, detail?: string) => never;
