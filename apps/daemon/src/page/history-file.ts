import { lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import { RANGES, SERIES, type History, type RangeName, type Track } from '@monero-node/dashboard';

const FILE = 'page-history.json';
const FORMAT = 1;
/** Bytes. All points of both views are a fifth of it. */
const MAX_BYTES = 1 << 20;

/** What the charts of both views show. */
export interface SavedHistory {
  readonly owner: History;
  readonly public: History;
}

/** The charts over restarts: one small file in the data directory, as JSON, `{ format, owner, public }`. */
export class HistoryFile {
  readonly #path: string;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(dataDir: string, logger: Pick<Logger, 'warn'>) {
    this.#path = join(dataDir, FILE);
    this.#logger = logger;
  }

  /** Returns what was saved; undefined when there is nothing of use. A file that cannot be used is put aside. */
  async load(): Promise<SavedHistory | undefined> {
    try {
      const facts = await lstat(this.#path);
      if (!facts.isFile()) throw new Error('is no file');
      if (facts.size > MAX_BYTES) throw new Error(`is longer than ${MAX_BYTES} bytes`);
      const saved = checked(JSON.parse(await readFile(this.#path, 'utf8')));
      if (saved === undefined) throw new Error('is not of this format');
      return saved;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      const text = error instanceof SyntaxError ? 'is no JSON' : (error as Error).message;
      await this.putAside(text);
      return undefined;
    }
  }

  /**
   * Renames the file, so that it is not overwritten, and says so in one line.
   *
   * @param why what is wrong with it, as the end of a sentence that begins with its name
   */
  async putAside(why: string): Promise<void> {
    const aside = `${this.#path}.broken`;
    const failure = await rename(this.#path, aside).then(
      () => undefined,
      ({ message }: Error) => message,
    );
    const then = failure === undefined ? `it is now ${aside}` : `it stays: ${failure}`;
    this.#logger.warn(`The charts of the page begin anew: ${this.#path} ${why}; ${then}`);
  }

  /** Replaces the whole file. A crash leaves the old one or the new one. Rejects with an error of node:fs. */
  async save(saved: SavedHistory): Promise<void> {
    const unfinished = `${this.#path}.new`;
    const text = JSON.stringify({ format: FORMAT, owner: saved.owner, public: saved.public });
    try {
      // The traffic of the node is its owner's business.
      const file = await open(unfinished, 'w', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, this.#path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns what a file says; undefined when it is another one's or damaged. */
function checked(value: unknown): SavedHistory | undefined {
  if (!isObject(value) || value['format'] !== FORMAT) return undefined;
  const { owner, public: known } = value;
  return isHistory(owner) && isHistory(known) ? { owner, public: known } : undefined;
}

function isHistory(value: unknown): value is History {
  if (!isObject(value)) return false;
  return (Object.keys(RANGES) as RangeName[]).every((range) => isTrack(value[range], range));
}

function isTrack(value: unknown, range: RangeName): value is Track {
  if (!isObject(value)) return false;
  const { end, series } = value;
  const { step, points } = RANGES[range];
  if (!Number.isSafeInteger(end) || (end as number) < 0 || (end as number) % step !== 0)
    return false;
  if (!isObject(series)) return false;
  const [length = 0, ...others] = Object.values(series).map(lengthOf);
  const isEven = length <= points && others.every((other) => other === length);
  return isEven && Object.keys(series).every((name) => SERIES.some((known) => known === name));
}

/** Returns the number of values; infinite for what is no list of values. */
function lengthOf(values: unknown): number {
  const isList = Array.isArray(values) && values.every(isValue);
  return isList ? values.length : Infinity;
}

const isValue = (value: unknown): boolean =>
  value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
