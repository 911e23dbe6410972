import { BoundedMap } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { ConsensusError, ConsensusErrorCode } from '@monero-node/consensus';

/** Ids remembered; the oldest are forgotten first. */
const LIMIT = 4096;

/** Blocks found to break a rule, so that they are rejected at once when they come again. */
export class InvalidBlocks {
  readonly #errors = new BoundedMap<string, ConsensusError>(LIMIT);

  /** Remembers the block with this 32-byte id, unless it may be valid when it comes again. */
  add(id: Uint8Array, error: ConsensusError): void {
    if (isLasting(error)) this.#errors.set(toHex(id), error);
  }

  /** Returns the rule that a block, by its 32-byte id, was found to break. */
  get(id: Uint8Array): ConsensusError | undefined {
    return this.#errors.get(toHex(id));
  }

  clear(): void {
    this.#errors.clear();
  }
}

/** Errors that depend on the clock, on the transactions sent with the block, on how busy this node is, or on what it can verify. */
const PASSING: ReadonlySet<ConsensusErrorCode> = new Set([
  'timestamp-too-new',
  'ring-member-locked',
  'missing-tx',
  'bad-tx-blob',
  'unconfirmed-proof-of-work',
  'unverified-membership',
]);

/** Returns whether the same block will always be rejected, regardless of when it comes and who sends it. */
function isLasting({ code }: ConsensusError): boolean {
  return !PASSING.has(code);
}
