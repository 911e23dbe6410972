import { CONSENSUS_ERROR_SENTENCES, type ConsensusErrorCode } from './error-codes.ts';

/** Where a rule was broken: the block height, and the transaction id as 64 hex digits, if known. */
export interface ConsensusErrorPlace {
  readonly height?: number | undefined;
  readonly txId?: string | undefined;
}

/**
 * Reports that a block or transaction breaks a rule. `code` names the class of rule, and `detail` what
 * exactly was wrong. The message is the sentence of the code, then a colon and the detail, if any.
 */
export class ConsensusError extends Error {
  override readonly name = 'ConsensusError';
  readonly code: ConsensusErrorCode;
  readonly detail: string;
  readonly height: number | undefined;
  readonly txId: string | undefined;

  constructor(code: ConsensusErrorCode, detail = '', place: ConsensusErrorPlace = {}) {
    const sentence = CONSENSUS_ERROR_SENTENCES[code];
    super(detail === '' ? sentence : `${sentence}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.height = place.height;
    this.txId = place.txId;
  }
}
