import type { Queryable } from '../database/database.ts';

const HASH = /^[0-9a-f]{64}$/i;
const NUMBER = /^\d{1,10}$/;
const OUTPUT = /^#(\d{1,15})$/;
const INT4_MAX = 2 ** 31 - 1;

/** What 64 hex digits can be, in the order of the search, with the page that shows it. */
const KINDS: readonly (readonly [sql: string, page: string])[] = [
  ["SELECT FROM transactions WHERE id = decode($1, 'hex')", '/tx/'],
  ["SELECT FROM blocks WHERE id = decode($1, 'hex')", '/block/'],
  ["SELECT FROM pool WHERE id = decode($1, 'hex')", '/tx/'],
  ["SELECT FROM inputs WHERE key_image = decode($1, 'hex')", '/key-image/'],
  ["SELECT FROM pool_key_images WHERE key_image = decode($1, 'hex')", '/key-image/'],
  ["SELECT FROM outputs WHERE public_key = decode($1, 'hex')", '/key/'],
];

/** The longest text that can be found. */
export const MAX_QUERY = 66;

/**
 * Returns the path of the page that shows what somebody has typed: a height, the id of a block or transaction, a key
 * image, the public key of an output, or `#` and the global index of an output; undefined when there is nothing.
 */
export async function search(within: Queryable, typed: string): Promise<string | undefined> {
  const text = typed.trim().toLowerCase();
  const index = OUTPUT.exec(text)?.[1];
  if (index !== undefined) return exists(within, index);
  if (NUMBER.test(text) && Number(text) <= INT4_MAX) {
    const found = await within.query('SELECT FROM blocks WHERE height = $1', [Number(text)]);
    return found.length > 0 ? `/block/${Number(text)}` : undefined;
  }
  if (!HASH.test(text)) return undefined;
  for (const [sql, page] of KINDS) {
    const found = await within.query(`${sql} LIMIT 1`, [text]);
    if (found.length > 0) return page + text;
  }
  return undefined;
}

async function exists(within: Queryable, index: string): Promise<string | undefined> {
  const sql = 'SELECT FROM outputs WHERE index_amount = 0 AND global_index = $1';
  const found = await within.query(sql, [Number(index)]);
  return found.length > 0 ? `/output/${Number(index)}` : undefined;
}
