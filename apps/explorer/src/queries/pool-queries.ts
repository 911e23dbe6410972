import type { Queryable } from '../database/database.ts';
import type { PoolRow, PoolSummary } from './rows.ts';

const ROW = `encode(id, 'hex') AS id, received, fee, weight, inputs, outputs`;

/** Returns the transactions of the pool that pay most per byte of weight, the best first. */
export function bestOfPool(within: Queryable, count: number): Promise<PoolRow[]> {
  return within.query(
    `SELECT ${ROW} FROM pool ORDER BY fee / greatest(weight, 1) DESC, id LIMIT $1`,
    [count],
  );
}

/** Returns the number, weight and fees of the pool. */
export async function readPoolSummary(within: Queryable): Promise<PoolSummary> {
  const [row] = await within.query<PoolSummary>(
    `SELECT count(*) AS count, coalesce(sum(weight), 0)::bigint AS weight,
       coalesce(sum(fee), 0)::numeric(20) AS fees FROM pool`,
  );
  return row ?? { count: 0, weight: 0, fees: '0' };
}

/** Returns a transaction of the pool by its id in hex, with its key images; undefined when it is not there. */
export async function findPoolTransaction(
  within: Queryable,
  id: string,
): Promise<(PoolRow & { readonly key_images: readonly string[] }) | undefined> {
  const [row] = await within.query<PoolRow>(
    `SELECT ${ROW} FROM pool WHERE id = decode($1, 'hex')`,
    [id],
  );
  if (row === undefined) return undefined;
  const images = await within.query<{ key_image: string }>(
    `SELECT encode(key_image, 'hex') AS key_image FROM pool_key_images
     WHERE tx_id = decode($1, 'hex') ORDER BY position`,
    [id],
  );
  return { ...row, key_images: images.map(({ key_image }) => key_image) };
}
