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
   * reads the same bytes again to say what is wrong. Never rejects.
   */
  read(start: number): Promise<Group<Item>>;
  /** Has a thread outline the transactions of items; it may hash their blocks as well. Rejects when the thread has ended. */
  outline(items: readonly Item[]): Promise<readonly OutlinedPackage[]>;
  /** How many groups are read ahead of the one in use, at least 1. */
  readonly depth: number;
}

/** An item, and what a thread has found about its transactions and, if it has hashed it, its block. */
export interface ItemAhead<Item> {
  readonly item: Item;
  readonly outlined: OutlinedPackage | undefined;
}

interface OutlinedGroup<Item> extends Group<Item> {
  readonly start: number;
  /** Of its items, by where they are. */
  readonly positions: ReadonlyMap<number, number>;
  readonly outlined: Promise<readonly OutlinedPackage[] | undefined>;
}

/** Items of a source that are read, and outlined by threads, before it is their turn: those of a few groups ahead. */
export class GroupsAhead<Item> {
  readonly #reader: GroupReader<Item>;
  #current: OutlinedGroup<Item> | undefined;
  /** Those after the current one. Each is read when the one before has been, so that one call of the system reads at a time. */
  #following: Promise<OutlinedGroup<Item>>[] = [];
  #closed = false;

  constructor(reader: GroupReader<Item>) {
    this.#reader = reader;
  }

  /** Returns the item at a place of the source, from where on others are read ahead; undefined when it cannot be read ahead. */
  async take(place: number): Promise<ItemAhead<Item> | undefined> {
    if (this.#current?.items.has(place) !== true) await this.#goTo(place);
    return this.#current && itemAt(this.#current, place);
  }

  /** Returns the item at a place that is in use or read ahead, without moving on; undefined for another place. */
  async held(place: number): Promise<ItemAhead<Item> | undefined> {
    for (const each of [this.#current, ...this.#following]) {
      const group = await each;
      if (group === undefined || place < group.end) return group && itemAt(group, place);
    }
    return undefined;
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#following);
  }

  async #goTo(place: number): Promise<void> {
    const [next, ...rest] = this.#following;
    const following = await next;
    const goesOn = following?.start === place;
    // Of a place that nobody has expected, nothing is read beside what is being read.
    if (!goesOn) await Promise.all(rest);
    const current = goesOn ? following : await this.#read(place);
    this.#current = current;
    this.#following = goesOn ? rest : [];
    while (this.#following.length < this.#reader.depth)
      this.#following.push(this.#readAfter(this.#following.at(-1) ?? current));
  }

  /** Reads the group after another one; returns that again when it is empty, as the last one is. */
  async #readAfter(
    before: OutlinedGroup<Item> | Promise<OutlinedGroup<Item>>,
  ): Promise<OutlinedGroup<Item>> {
    const group = await before;
    return group.end > group.start && !this.#closed ? this.#read(group.end) : group;
  }

  async #read(start: number): Promise<OutlinedGroup<Item>> {
    const group = await this.#reader.read(start);
    const positions = new Map([...group.items.keys()].map((place, position) => [place, position]));
    return { start, ...group, positions, outlined: this.#outline([...group.items.values()]) };
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

async function itemAt<Item>(
  { items, positions, outlined }: OutlinedGroup<Item>,
  place: number,
): Promise<ItemAhead<Item> | undefined> {
  const item = items.get(place);
  if (item === undefined) return undefined;
  return { item, outlined: (await outlined)?.[positions.get(place) ?? -1] };
}
