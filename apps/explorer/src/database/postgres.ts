import { guardEmitter } from '@monero-node/base';
import pg from 'pg';
import { INT8, int8, type Database, type Parameter, type Queryable } from './database.ts';

const CONNECTIONS = 8;
const CONNECT_MS = 10_000;
/** A page is answered in milliseconds; a statement that takes this long is given up. */
const STATEMENT_MS = 30_000;

/** Returns the pool of connections. A connection that breaks while it is idle is replaced by the next query. */
function openPool(url: string): pg.Pool {
  const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) =>
    oid === INT8 ? int8 : pg.types.getTypeParser(oid, format as 'text');
  const pool = guardEmitter(
    new pg.Pool({
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS,
      application_name: 'monero-explorer',
      types: { getTypeParser },
    }),
  );
  // The pool listens to idle connections only.
  return pool.on('connect', (client) => void guardEmitter(client));
}

function queryable(client: pg.Pool | pg.PoolClient): Queryable {
  return {
    async query<R extends object>(text: string, parameters: readonly Parameter[] = []) {
      return (await client.query(text, [...parameters])).rows as R[];
    },
  };
}

/**
 * Connects to a PostgreSQL server, at the first query.
 *
 * @param url `postgres://user:password@host/database`, or with `?host=/folder` for a socket
 */
export function openPostgres(url: string): Database {
  const pool = openPool(url);
  return {
    ...queryable(pool),
    async transaction(work) {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(queryable(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
        // Fails when the connection is gone; the server has rolled back then.
        await client.query('ROLLBACK').catch(() => undefined);
        throw failure;
      } finally {
        client.release(failure);
      }
    },
    close: () => pool.end(),
  };
}
