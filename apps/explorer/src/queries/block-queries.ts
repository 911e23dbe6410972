import type { Queryable } from '../database/database.ts';
import type { BlockDetails, BlockSummary, TransactionSummary, Totals } from './rows.ts';

const SUMMARY = `height, encode(id, 'hex') AS id, timestamp, weight, reward, fees, transactions`;
const ALL = `${SUMMARY}, encode(prev_id, 'hex') AS prev_id, major_version, minor_version, nonce,
  long_term_weight, difficulty, cumulative_difficulty, generated_coins`;

/** Returns the sums over all tables. */
export async function readTotals(within: Queryable): Promise<Totals> {
  const [row] = await within.query<Totals>(
    'SELECT height, transactions, outputs, key_images, reverted FROM position',
  );
  return row ?? { height: -1, transactions: 0, outputs: 0, key_images: 0, reverted: 0 };
}

/** Returns the newest blocks up to a height, the newest first. */
export function newestBlocks(
  within: Queryable,
  { upTo = 2 ** 31 - 1, count }: { readonly upTo?: number; readonly count: number },
): Promise<BlockSummary[]> {
  return within.query(
    `SELECT ${SUMMARY} FROM blocks WHERE height <= $1 ORDER BY height DESC LIMIT $2`,
    [upTo, count],
  );
}

/** Returns a block by its height, or by its id in hex; undefined when there is none. */
export async function findBlock(
  within: Queryable,
  which: number | string,
): Promise<BlockDetails | undefined> {
  const where = typeof which === 'number' ? 'height = $1' : "id = decode($1, 'hex')";
  const [row] = await within.query<BlockDetails>(`SELECT ${ALL} FROM blocks WHERE ${where}`, [
    which,
  ]);
  return row;
}

/** Returns the coins emitted up to the newest block, atomic units as decimal digits. */
export async function readEmission(within: Queryable): Promise<string> {
  const [row] = await within.query<{ generated_coins: string }>(
    'SELECT generated_coins FROM blocks ORDER BY height DESC LIMIT 1',
  );
  return row?.generated_coins ?? '0';
}

/** Returns transactions of a block in order, the miner's first. */
export function transactionsOf(
  within: Queryable,
  { height, from = 0, count }: { height: number; from?: number; count: number },
): Promise<TransactionSummary[]> {
  return within.query(
    `SELECT encode(id, 'hex') AS id, height, position, fee, weight, inputs, outputs FROM transactions
     WHERE height = $1 AND position >= $2 ORDER BY position LIMIT $3`,
    [height, from, count],
  );
}
