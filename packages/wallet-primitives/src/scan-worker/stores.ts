/** Keeps the table of addresses of one account between runs of a program: a file, a database, whatever there is. */
export interface TableStore {
  /** Returns what was saved last; undefined for nothing. It is checked: bytes of another account, or changed ones, are not used. */
  load(): Promise<Uint8Array | undefined>;
  /** Keeps a table in place of the last one. */
  save(table: Uint8Array): Promise<void>;
}

// Node's type declarations lack IndexedDB: these are the parts that are used.
interface IdbRequest<T> {
  readonly result: T;
  readonly error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}
interface IdbTables {
  get(key: string): IdbRequest<unknown>;
  put(value: unknown, key: string): IdbRequest<unknown>;
}
interface IdbDatabase {
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: string): { objectStore(name: string): IdbTables };
  close(): void;
}
interface IdbOpening extends IdbRequest<IdbDatabase> {
  onupgradeneeded: (() => void) | null;
}
declare const indexedDB: { open(name: string, version: number): IdbOpening };

const TABLES = 'subaddress-tables';

/**
 * Returns a store in the IndexedDB of a page.
 *
 * @param key names the account, in a database of the page
 */
export function indexedDbStore(key: string, database = 'monero-node'): TableStore {
  const use = async (
    mode: 'readonly' | 'readwrite',
    act: (tables: IdbTables) => IdbRequest<unknown>,
  ): Promise<unknown> => {
    const opening = indexedDB.open(database, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(TABLES);
    const opened = await resultOf(opening);
    try {
      return await resultOf(act(opened.transaction(TABLES, mode).objectStore(TABLES)));
    } finally {
      opened.close();
    }
  };
  return {
    load: async () => {
      const table = await use('readonly', (tables) => tables.get(key));
      return table instanceof Uint8Array ? table : undefined;
    },
    save: async (table) => {
      await use('readwrite', (tables) => tables.put(table, key));
    },
  };
}

function resultOf<T>(request: IdbRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
  });
}
