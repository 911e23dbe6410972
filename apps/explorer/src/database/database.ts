/** What PostgreSQL takes as a parameter here. Bytes travel as hex, large numbers as decimal digits. */
export type Parameter = string | number | boolean | null;

/** Something that runs SQL: a database, or one of its transactions. */
export interface Queryable {
  /**
   * Runs one statement and returns its rows. `int8` columns are numbers, `numeric` ones strings.
   *
   * Throws the error of the database.
   */
  query<R extends object>(text: string, parameters?: readonly Parameter[]): Promise<R[]>;
}

/** A PostgreSQL: a server, or PGlite in this process. */
export interface Database extends Queryable {
  /** Runs work in one transaction, which is rolled back when the work throws. */
  transaction<T>(work: (within: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** OID of `int8` in pg_type, which drivers return as text or `bigint` by default. */
export const INT8 = 20;

/** Returns an `int8` as a number. Throws RangeError beyond 2^53. */
export function int8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`an int8 beyond 2^53: ${text}`);
  return value;
}
