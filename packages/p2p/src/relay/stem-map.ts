import { randomBelow, type RandomSource } from '@monero-node/base';

/**
 * Maps each source of stem transactions to an outgoing peer for one epoch. Two peers are chosen at random, and each new
 * source is assigned to the one with fewer sources, so that the route of a transaction does not reveal its source.
 * Source: connection_map in src/net/dandelionpp.cpp
 */
export class StemMap {
  readonly #count: number;
  readonly #random: RandomSource;
  /** Ids of connections; undefined where one has closed. */
  readonly #stems: (string | undefined)[];
  /** Number of sources of each stem. */
  readonly #usage: number[];
  /** Source to position in {@link StemMap.#stems}. */
  readonly #sources = new Map<string, number>();

  /**
   * @param candidates ids of outgoing connections
   * @param count wanted stems
   */
  constructor(candidates: readonly string[], count: number, random: RandomSource) {
    this.#count = count;
    this.#random = random;
    const left = [...candidates];
    this.#stems = Array.from({ length: Math.min(count, left.length) }, () => this.#take(left));
    this.#usage = Array.from({ length: count }, () => 0);
  }

  /** The number of stems. */
  get size(): number {
    return this.#stems.filter((stem) => stem !== undefined).length;
  }

  /** Drops stems that are no longer candidates, and fills empty places. */
  update(candidates: readonly string[]): void {
    const left = new Set(candidates);
    for (const [at, stem] of this.#stems.entries()) {
      if (stem !== undefined && !left.delete(stem)) this.#stems[at] = undefined;
    }
    const free = [...left];
    for (let at = 0; at < this.#count && free.length > 0; at++)
      this.#stems[at] ??= this.#take(free);
  }

  /**
   * Returns the connection for the transactions of a source; undefined when there is none.
   * @param source id of a connection; '' is this node itself
   */
  stemFor(source: string): string | undefined {
    const known = this.#sources.get(source);
    if (known !== undefined) {
      const stem = this.#stems[known];
      if (stem !== undefined) return stem;
      this.#use(known, -1);
    }
    const at = this.#leastUsed();
    if (at === undefined) {
      this.#sources.delete(source);
      return undefined;
    }
    this.#sources.set(source, at);
    this.#use(at, 1);
    return this.#stems[at];
  }

  /** Forgets a source whose connection has closed. */
  forget(source: string): void {
    const known = this.#sources.get(source);
    if (known === undefined) return;
    this.#sources.delete(source);
    this.#use(known, -1);
  }

  /** The number of sources that have a connection. */
  get sourceCount(): number {
    return this.#sources.size;
  }

  #leastUsed(): number | undefined {
    const used = [...this.#stems.entries()].filter(([, stem]) => stem !== undefined);
    const lowest = Math.min(...used.map(([at]) => this.#usage[at] ?? 0));
    const choices = used.filter(([at]) => this.#usage[at] === lowest);
    return choices[randomBelow(choices.length, this.#random)]?.[0];
  }

  #use(at: number, change: number): void {
    this.#usage[at] = (this.#usage[at] ?? 0) + change;
  }

  /** Removes a random element from a list that is not empty. */
  #take(list: string[]): string {
    return list.splice(randomBelow(list.length, this.#random), 1)[0] as string;
  }
}
