import { fromHex } from '@monero-node/codec';
import type { Queryable } from '../database/database.ts';

/** The newest block in the tables. `sequence` is that of the stream's message that led there. */
export interface Tip {
  readonly height: number;
  readonly id: Uint8Array;
  readonly sequence?: number;
}

interface PositionRow {
  readonly height: number;
  readonly id: string | null;
  readonly sequence: number | null;
}

/**
 * Returns the newest block in the tables; undefined when they are empty.
 *
 * `lock`: whether to keep others from changing the tables until the transaction ends.
 */
export async function readTip(
  within: Queryable,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Tip | undefined> {
  const [row] = await within.query<PositionRow>(
    `SELECT height, encode(id, 'hex') AS id, sequence FROM position ${lock ? 'FOR UPDATE' : ''}`,
  );
  if (row === undefined) throw new Error('the table position has lost its row');
  if (row.id === null) return undefined;
  const { height, sequence } = row;
  return { height, id: fromHex(row.id), ...(sequence === null ? {} : { sequence }) };
}
