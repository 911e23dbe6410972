import type { Database, Queryable } from './database.ts';
import { MIGRATIONS } from './schema.ts';

/** Any number: whoever migrates holds this lock, so that two programs that start together do not both create tables. */
const LOCK = 18_081;

/** Returns the version of the tables; 0 when there are none. */
async function versionOf(within: Queryable): Promise<number> {
  await within.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
  const [row] = await within.query<{ version: number }>('SELECT version FROM schema_version');
  if (row === undefined) await within.query('INSERT INTO schema_version VALUES (0)');
  return row?.version ?? 0;
}

/**
 * Creates the tables, or brings those of an older version up to date; all or nothing.
 *
 * Throws RangeError for tables of a newer version, which this program does not understand.
 */
export async function migrate(
  database: Database,
  migrations: readonly (readonly string[])[] = MIGRATIONS,
): Promise<void> {
  await database.transaction(async (within) => {
    await within.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const version = await versionOf(within);
    if (version > migrations.length)
      throw new RangeError(
        `the tables have version ${version}, this program knows ${migrations.length}`,
      );
    for (const statements of migrations.slice(version)) {
      for (const statement of statements) await within.query(statement);
    }
    await within.query('UPDATE schema_version SET version = $1', [migrations.length]);
  });
}
