import { randomBelow, type RandomSource } from '@monero-node/base';

/**
 * Which peer gets the stem transactions of which source during one epoch: two outgoing peers chosen at random, and each
 * source keeps to the one that had the fewest sources when it came. So what is sent on does not tell which way
 * it came. Source: connection_map in src/net/dandelionpp.cpp.
 */
export class StemMap {
  readonly #count: number;
  readonly #random: RandomSource;
  /** Ids of connections; undefined where one has closed. */
  readonly #stems: (string | undefined)[];
  /** Sources of each stem. */
  readonly #usage: number[];
  /** Source to position in {@link StemMap.#stems}. */
  readonly #sources = new Map<string, number>();

  /**
   * @param candidates ids of outgoing connections
   * @param count stems wanted
   */
  constructor(candidates: readonly string[], count: number, random: RandomSource) {
    this.#count = count;
    this.#random = random;
    const left = [...candidates];
    this.#stems = Array.from({ length: Math.min(count, left.length) }, () => this.#take(left));
    this.#usage = Array.from({ length: count }, () => 0);
  }

  /** How many stems there are. */
  get size(): number {
    return this.#stems.filter((stem) => stem !== undefined).length;
  }

  /** Drops stems that are no candidates any more, and fills empty places. */
  update(candidates: readonly string[]): void {
    const left = new Set(candidates);
    for (const [at, stem] of this.#stems.entries()) {
      if (stem !== undefined && !left.delete(stem)) this.#stems[at] = undefined;
    }
    const free = [...left];
    for (let at = 0; at < this.#count && free.length > 0; at++)
      this.#stems[at] ??= this.#take(free);
  }

  /** The connection for what comes from a source; undefined when there is none. @param source '' is this node itself */
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

  #leastUsed(): number | undefined {
    const used = [...this.#stems.entries()].filter(([, stem]) => stem !== undefined);
    const lowest = Math.min(...used.map(([at]) => this.#usage[at] ?? 0));
    const choices = used.filter(([at]) => this.#usage[at] === lowest);
    return choices[randomBelow(choices.length, this.#random)]?.[0];
  }

  #use(at: number, change: number): void {
    this.#usage[at] = (this.#usage[at] ?? 0) + change;
  }

  /** Takes one at random out of a list that has some. */
  #take(list: string[]): string {
    return list.splice(randomBelow(list.length, this.#random), 1)[0] as string;
  }
}
