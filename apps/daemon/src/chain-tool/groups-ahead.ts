import type { OutlinedPackage } from '@monero-node/codec';

/** Bytes that are read at once, about as many as a batch of blocks has. */
export const GROUP_BYTES = 8 * 1024 * 1024;

/** Consecutive items of a source, such as the packages of a file or the blocks of a database, by where they are in it. */
export interface Group<Item> {
  readonly items: ReadonlyMap<number, Item>;
  /** Where the item after the last one is. */
  readonly end: number;
}

/** Reads a source. */
export interface GroupReader<Item> {
  /**
   * Reads the items from one on. The group ends before damaged bytes and before those that cannot be read: it is left to whoever
   * reads the same bytes again to say what is wrong.
   */
  read(start: number): Promise<Group<Item>>;
  /** Has a thread outline the transactions of items; it may hash their blocks as well. Rejects when the thread has ended. */
  outline(items: readonly Item[]): Promise<readonly OutlinedPackage[]>;
}

/** An item, and what a thread has found about its transactions and, if it has hashed it, its block. */
interface ItemAhead<Item> {
  readonly item: Item;
  readonly outlined: OutlinedPackage | undefined;
}

interface OutlinedGroup<Item> extends Group<Item> {
  readonly start: number;
  readonly outlined: Promise<readonly OutlinedPackage[] | undefined>;
}

/** Items of a source that are read, and outlined by a thread, before it is their turn: those of one group ahead. */
export class GroupsAhead<Item> {
  readonly #reader: GroupReader<Item>;
  #current: OutlinedGroup<Item> | undefined;
  /** Of `#current`, by where they are. */
  #positions: ReadonlyMap<number, number> = new Map();
  #following: Promise<OutlinedGroup<Item>> | undefined;

  constructor(reader: GroupReader<Item>) {
    this.#reader = reader;
  }

  /** Returns the item at a place of the source; undefined when it cannot be read ahead. */
  async take(place: number): Promise<ItemAhead<Item> | undefined> {
    if (!this.#positions.has(place)) await this.#goTo(place);
    const item = this.#current?.items.get(place);
    if (item === undefined) return undefined;
    const outlined = await this.#current?.outlined;
    return { item, outlined: outlined?.[this.#positions.get(place) ?? -1] };
  }

  /** Returns what `take` would, if that takes no reading of another group; undefined otherwise. */
  async held(place: number): Promise<ItemAhead<Item> | undefined> {
    return this.#positions.has(place) ? this.take(place) : undefined;
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    await this.#following;
  }

  async #goTo(place: number): Promise<void> {
    const following = await this.#following;
    const current = following?.start === place ? following : await this.#read(place);
    this.#current = current;
    this.#positions = new Map([...current.items.keys()].map((each, position) => [each, position]));
    this.#following = current.end > place ? this.#read(current.end) : undefined;
  }

  async #read(start: number): Promise<OutlinedGroup<Item>> {
    const group = await this.#reader.read(start);
    return { start, ...group, outlined: this.#outline([...group.items.values()]) };
  }

  async #outline(items: readonly Item[]): Promise<readonly OutlinedPackage[] | undefined> {
    try {
      return items.length === 0 ? [] : await this.#reader.outline(items);
    } catch {
      // Without an answer of the thread the transactions are parsed.
      return undefined;
    }
  }
}
