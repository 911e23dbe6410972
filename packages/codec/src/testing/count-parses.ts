import { countCalls } from '@monero-node/base/testing';
import { HashedBlock } from '../block/hashed-block.ts';
import { parseTransaction, parseTransactionLazily } from '../transaction/transaction.ts';

/** How often the bytes of blocks and transactions were parsed. */
export interface Parses {
  blocks: number;
  /** Other than miner transactions, which are parsed with their blocks. */
  transactions: number;
}

/** Returns how many blocks and transactions were parsed on this thread while `action` ran. Throws what it throws. */
export async function countParses(action: () => unknown): Promise<Parses> {
  const counted = [HashedBlock, parseTransaction, parseTransactionLazily];
  const [blocks = 0, whole = 0, lazily = 0] = await countCalls(counted, action);
  return { blocks, transactions: whole + lazily };
}
