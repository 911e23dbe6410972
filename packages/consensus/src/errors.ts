import { CONSENSUS_ERRORS } from './error-table.ts';
import type { ConsensusErrorCode } from './error-table.ts';

/** Where a rule was broken: the block height and transaction id, as far as they are known. */
export interface ConsensusErrorPlace {
  readonly height?: number | undefined;
  readonly txId?: string | undefined;
}

/**
 * A block or transaction breaks a rule. `code` names the class of rule (see CONSENSUS_ERRORS for
 * the sentence, RPC flag and peer penalty), `detail` says what exactly was wrong.
 */
export class ConsensusError extends Error {
  override readonly name = 'ConsensusError';
  readonly code: ConsensusErrorCode;
  readonly detail: string;
  readonly height: number | undefined;
  readonly txId: string | undefined;

  constructor(code: ConsensusErrorCode, detail = '', place: ConsensusErrorPlace = {}) {
    super(
      detail === ''
        ? CONSENSUS_ERRORS[code].sentence
        : `${CONSENSUS_ERRORS[code].sentence}: ${detail}`,
    );
    this.code = code;
    this.detail = detail;
    this.height = place.height;
    this.txId = place.txId;
  }
}
