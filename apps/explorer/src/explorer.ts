import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@monero-node/base';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { ExplorerServer, type ExplorerServerOptions } from './server/explorer-server.ts';
import { ChainTables } from './store/chain-tables.ts';
import { PoolTable } from './store/pool-table.ts';

const RETRY_MS = 1000;

/** The source of blocks and transactions: the stream of events, or a node that is asked. */
export interface Source {
  /** Resolves at once; it runs until `stop`. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ExplorerParts {
  readonly database: Database;
  readonly logger: Logger;
  readonly openSource: (tables: { chain: ChainTables; pool: PoolTable }) => Promise<Source>;
}

/** An explorer that runs. */
export interface Explorer {
  /** Of the front page. */
  readonly url: string;
  /** Stops reading and serving, and closes the database. */
  stop(): Promise<void>;
}

/** Returns whether the database answers and refuses: waiting does not help. Class 42 of SQLSTATE: syntax and access. */
function isWrongSql(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^42...$/.test(code);
}

/** Makes the tables; waits for a database that does not answer yet. Throws RangeError for tables of a newer version. */
async function prepare({ database, logger }: ExplorerParts): Promise<void> {
  for (;;) {
    try {
      return await migrate(database);
    } catch (error) {
      if (error instanceof RangeError || isWrongSql(error)) throw error;
      logger.warn(`the database: ${String(error)}; trying again`);
      await sleep(RETRY_MS);
    }
  }
}

/**
 * Starts the pages and what fills the tables.
 *
 * Throws RangeError for tables of a newer version, and Error when the port cannot be opened.
 */
export async function startExplorer(
  options: ExplorerServerOptions,
  parts: ExplorerParts,
): Promise<Explorer> {
  const { database, logger, openSource } = parts;
  await prepare(parts);
  const server = new ExplorerServer(options, { database, logger });
  const url = await server.start();
  const onChange = (): void => server.changed();
  const source = await openSource({
    chain: new ChainTables({ database, onChange }),
    pool: new PoolTable({ database, onChange }),
  });
  await source.start();
  return {
    url,
    async stop() {
      await source.stop();
      await server.stop();
      await database.close();
    },
  };
}
