import type { AddBlockResult } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import { CONSENSUS_ERROR_SENTENCES } from '@monero-node/consensus';
import { pointsForBlock } from '../peers/error-penalties.ts';

/** Returns whether a block was added or known. */
export function isGood(result: AddBlockResult): boolean {
  return (
    result.status === 'added' ||
    result.status === 'reorganized' ||
    result.status === 'alternative' ||
    result.status === 'known'
  );
}

/** Why a block was not added. */
export interface BlockFailure {
  readonly reason: string;
  /** Points for its sender. */
  readonly penalty: number;
  /** Whether the sender is surely to blame. */
  readonly isCertain: boolean;
}

/** Returns why a block was not added. */
export function describeFailure(result: AddBlockResult | undefined): BlockFailure {
  switch (result?.status) {
    case 'invalid': {
      const { code } = result.error;
      const id = result.id ? ` ${toHex(result.id)}` : '';
      return {
        reason: `invalid block${id}: ${CONSENSUS_ERROR_SENTENCES[code]}`,
        penalty: pointsForBlock(code),
        isCertain: code !== 'unconfirmed-proof-of-work' && code !== 'timestamp-too-new',
      };
    }
    case 'missing-txs':
      return { reason: 'a block without its transactions', penalty: 0, isCertain: true };
    default:
      return { reason: 'a block whose parent is unknown', penalty: 1, isCertain: true };
  }
}
