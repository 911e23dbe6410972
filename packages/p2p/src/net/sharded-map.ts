/** A power of two. */
const SHARDS = 256;

/**
 * Works like a Map and consists of many: none of them becomes so large that a single addition, which may have to move all entries to a
 * larger place, holds the event loop.
 */
export class ShardedMap<Key, Value> {
  readonly #shards: (Map<Key, Value> | undefined)[] = [];
  readonly #hash: (key: Key) => number;
  #size = 0;

  /** @param hash returns an integer of 0 or more, whose low byte differs between keys */
  constructor(hash: (key: Key) => number) {
    this.#hash = hash;
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    return this.#shardOf(key)?.get(key);
  }

  has(key: Key): boolean {
    return this.#shardOf(key)?.has(key) === true;
  }

  set(key: Key, value: Value): void {
    const at = this.#hash(key) % SHARDS;
    const shard = (this.#shards[at] ??= new Map());
    const before = shard.size;
    shard.set(key, value);
    this.#size += shard.size - before;
  }

  delete(key: Key): boolean {
    const isDeleted = this.#shardOf(key)?.delete(key) === true;
    if (isDeleted) this.#size--;
    return isDeleted;
  }

  *[Symbol.iterator](): Generator<[Key, Value], void> {
    for (const shard of this.#shards) if (shard !== undefined) yield* shard;
  }

  #shardOf(key: Key): Map<Key, Value> | undefined {
    return this.#shards[this.#hash(key) % SHARDS];
  }
}

/** Returns a hash of the end of a text, where addresses differ. */
export function hashOfEnd(text: string): number {
  let hash = 0;
  for (let i = Math.max(0, text.length - 8); i < text.length; i++)
    hash = (hash * 31 + text.charCodeAt(i)) % 65_536;
  return hash;
}
