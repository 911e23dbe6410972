import type { AddBlockResult } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import { CONSENSUS_ERROR_SENTENCES } from '@monero-node/consensus';
import { penaltyOf } from '../peers/error-penalties.ts';

/** Returns whether a block was added or known. */
export function isGood(result: AddBlockResult): boolean {
  return (
    result.status === 'added' ||
    result.status === 'reorganized' ||
    result.status === 'alternative' ||
    result.status === 'known'
  );
}

/** Returns why a block was not added, and the points for its sender. */
export function describeFailure(result: AddBlockResult | undefined): {
  reason: string;
  penalty: number;
} {
  switch (result?.status) {
    case 'invalid': {
      const { code } = result.error;
      const id = result.id ? ` ${toHex(result.id)}` : '';
      return {
        reason: `invalid block${id}: ${CONSENSUS_ERROR_SENTENCES[code]}`,
        penalty: Math.max(1, penaltyOf(code, 'block')),
      };
    }
    case 'missing-txs':
      return { reason: 'a block without its transactions', penalty: 0 };
    default:
      return { reason: 'a block whose parent is unknown', penalty: 1 };
  }
}
