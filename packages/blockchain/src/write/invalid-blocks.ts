import { toHex } from '@monero-node/codec';
import type { ConsensusError, ConsensusErrorCode } from '@monero-node/consensus';

/** Ids remembered; the oldest are forgotten first. */
const LIMIT = 4096;

/** Blocks found to break a rule, so that they are refused at once when they come again. */
export class InvalidBlocks {
  readonly #errors = new Map<string, ConsensusError>();

  add(id: Uint8Array, error: ConsensusError): void {
    if (!isLasting(error)) return;
    this.#errors.set(toHex(id), error);
    if (this.#errors.size <= LIMIT) return;
    for (const oldest of this.#errors.keys()) {
      this.#errors.delete(oldest);
      return;
    }
  }

  get(id: Uint8Array): ConsensusError | undefined {
    return this.#errors.get(toHex(id));
  }

  clear(): void {
    this.#errors.clear();
  }
}

/** Errors that depend on the clock or on what else was sent. */
const PASSING: ReadonlySet<ConsensusErrorCode> = new Set([
  'timestamp-too-new',
  'ring-member-locked',
  'missing-tx',
  'bad-tx-blob',
]);

/** Whether the same block will be refused again, whenever it comes and whoever sends it. */
function isLasting({ code }: ConsensusError): boolean {
  return !PASSING.has(code);
}
