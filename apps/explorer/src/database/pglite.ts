import { PGlite, type Transaction } from '@electric-sql/pglite';
import { INT8, int8, type Database, type Parameter, type Queryable } from './database.ts';

function queryable(client: PGlite | Transaction): Queryable {
  return {
    async query<R extends object>(text: string, parameters: readonly Parameter[] = []) {
      return (await client.query<R>(text, [...parameters])).rows;
    },
  };
}

/**
 * Starts a PostgreSQL in this process.
 *
 * @param folder in which it keeps its data; in memory when absent
 */
export async function openPglite(folder?: string): Promise<Database> {
  const options = { parsers: { [INT8]: int8 } };
  const client = await PGlite.create(folder ?? 'memory://', options);
  return {
    ...queryable(client),
    transaction: (work) => client.transaction((within) => work(queryable(within))),
    close: () => client.close(),
  };
}
