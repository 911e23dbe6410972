import type { Queryable } from '../database/database.ts';
import type { InputRow, OutputRow, RingMemberRow, TransactionDetails } from './rows.ts';

const OUTPUT = `
  SELECT outputs.height, encode(id, 'hex') AS tx, outputs.position, amount, index_amount, global_index,
    encode(public_key, 'hex') AS key, view_tag
  FROM outputs JOIN transactions
    ON transactions.height = outputs.height AND transactions.position = tx_position`;

/** Where a transaction is. */
export interface Place {
  readonly height: number;
  readonly position: number;
}

/** Returns a transaction of the chain by its id in hex; undefined when there is none. */
export async function findTransaction(
  within: Queryable,
  id: string,
): Promise<TransactionDetails | undefined> {
  const [row] = await within.query<TransactionDetails>(
    `SELECT encode(transactions.id, 'hex') AS id, height, position, version, unlock_time, fee,
       transactions.weight, inputs, outputs, encode(extra, 'hex') AS extra, timestamp
     FROM transactions JOIN blocks USING (height) WHERE transactions.id = decode($1, 'hex')`,
    [id],
  );
  return row;
}

/** Returns the outputs of a transaction in order. */
export function outputsOf(within: Queryable, { height, position }: Place): Promise<OutputRow[]> {
  return within.query(
    `${OUTPUT} WHERE outputs.height = $1 AND tx_position = $2 ORDER BY outputs.position`,
    [height, position],
  );
}

/** Returns the inputs of a transaction in order. */
export function inputsOf(within: Queryable, { height, position }: Place): Promise<InputRow[]> {
  return within.query(
    `SELECT position, amount, encode(key_image, 'hex') AS key_image FROM inputs
     WHERE height = $1 AND tx_position = $2 ORDER BY position`,
    [height, position],
  );
}

/** Returns the ring members of all inputs of a transaction in order, with the heights of their outputs. */
export function ringMembersOf(
  within: Queryable,
  { height, position }: Place,
): Promise<RingMemberRow[]> {
  return within.query(
    `SELECT input_position, index_amount, global_index, outputs.height
     FROM ring_members JOIN outputs USING (index_amount, global_index)
     WHERE ring_members.height = $1 AND ring_members.tx_position = $2
     ORDER BY input_position, ring_members.position`,
    [height, position],
  );
}

/** Returns the output with a global index in the list of an amount (decimal digits); undefined when there is none. */
export async function findOutput(
  within: Queryable,
  { amount, index }: { readonly amount: string; readonly index: number },
): Promise<OutputRow | undefined> {
  const [row] = await within.query<OutputRow>(
    `${OUTPUT} WHERE index_amount = $1 AND global_index = $2`,
    [amount, index],
  );
  return row;
}

/** Returns the outputs with a public key in hex, the oldest first: keys can be used more than once. */
export function outputsWithKey(
  within: Queryable,
  { key, count }: { readonly key: string; readonly count: number },
): Promise<OutputRow[]> {
  return within.query(
    `${OUTPUT} WHERE public_key = decode($1, 'hex') ORDER BY outputs.height, tx_position LIMIT $2`,
    [key, count],
  );
}

/** A ring that names an output. */
export interface UseRow {
  readonly height: number;
  readonly tx: string;
  readonly input_position: number;
}

/** Returns the newest rings that name an output. One of them may spend it, or none: nobody can tell. */
export function usesOf(
  within: Queryable,
  { amount, index, count }: { amount: string; index: number; count: number },
): Promise<UseRow[]> {
  return within.query(
    `SELECT ring_members.height, encode(id, 'hex') AS tx, input_position
     FROM ring_members JOIN transactions
       ON transactions.height = ring_members.height AND transactions.position = tx_position
     WHERE index_amount = $1 AND global_index = $2
     ORDER BY ring_members.height DESC, tx_position DESC LIMIT $3`,
    [amount, index, count],
  );
}

/** Where a key image is. */
export interface KeyImageRow {
  /** Absent for a transaction of the pool. */
  readonly height: number | null;
  readonly tx: string;
  readonly position: number;
}

/** Returns where a key image (hex) is, in the chain or in the pool; undefined when it is in neither. */
export async function findKeyImage(
  within: Queryable,
  keyImage: string,
): Promise<KeyImageRow | undefined> {
  const [row] = await within.query<KeyImageRow>(
    `SELECT inputs.height, encode(id, 'hex') AS tx, inputs.position
     FROM inputs JOIN transactions
       ON transactions.height = inputs.height AND transactions.position = tx_position
     WHERE key_image = decode($1, 'hex')
     UNION ALL
     SELECT NULL, encode(tx_id, 'hex'), position FROM pool_key_images
     WHERE key_image = decode($1, 'hex') ORDER BY height NULLS LAST LIMIT 1`,
    [keyImage],
  );
  return row;
}
