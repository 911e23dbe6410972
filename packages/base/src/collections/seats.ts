/** Something that has a seat, such as a connection. */
export interface Seated {
  /** The host that its seat counts for. */
  readonly host: string;
  /** How readily it gives up its seat to a newcomer: higher goes first, 0 never. */
  readonly idleness: number;
  /** When it began to be that idle; the smallest goes first. Any unit. */
  readonly since: number;
}

export interface SeatLimits {
  readonly total: number;
  /** Returns the limit of a host. */
  readonly perHost: (host: string) => number;
  /** Whether a newcomer of a full host takes the seat of the idlest one of that host, or is turned away. */
  readonly fullHost: 'replaces' | 'refuses';
}

/**
 * A bounded number of seats, in total and for each host, so that those who sit and do nothing keep nobody out. When all are
 * taken, a newcomer gets the seat of the idlest; among equally idle ones, the host with most seats gives up the
 * one that has been idle longest.
 */
export class Seats<T extends Seated> {
  readonly #limits: SeatLimits;
  readonly #vacate: (one: T) => void;
  readonly #seated = new Set<T>();
  readonly #perHost = new Map<string, number>();

  /** @param vacate closes one that has lost its seat */
  constructor(limits: SeatLimits, vacate: (one: T) => void) {
    this.#limits = limits;
    this.#vacate = vacate;
  }

  get size(): number {
    return this.#seated.size;
  }

  /** Those with a seat, the oldest first. */
  get all(): ReadonlySet<T> {
    return this.#seated;
  }

  /** Returns the number of seats of a host. */
  count(host: string): number {
    return this.#perHost.get(host) ?? 0;
  }

  /** Returns whether a host has all seats that it may have. */
  isFull(host: string): boolean {
    return this.count(host) >= this.#limits.perHost(host);
  }

  /**
   * Takes a seat for a newcomer, which has to leave it later. Returns false when there is none.
   *
   * @param atLeast only those that are at least that idle give up theirs
   */
  enter(one: T, atLeast = 1): boolean {
    if (!this.#makeRoomOf(one.host)) return false;
    if (this.#seated.size >= this.#limits.total && this.vacateIdlest(atLeast) === undefined)
      return false;
    this.#seated.add(one);
    this.#add(one.host, 1);
    return true;
  }

  /** Frees the seat of one; one without a seat is ignored. */
  leave(one: T): void {
    if (this.#seated.delete(one)) this.#add(one.host, -1);
  }

  /**
   * The seat of one now counts for another host; `change` sets its `host`. Returns false and changes nothing when that host has no
   * seat left.
   */
  move(one: T, host: string, change: () => void): boolean {
    if (host !== one.host && this.#seated.has(one)) {
      if (!this.#makeRoomOf(host)) return false;
      this.#add(one.host, -1);
      this.#add(host, 1);
    }
    change();
    return true;
  }

  /** Takes the seat of the idlest one, if it is at least that idle, and returns it; undefined when there is none. */
  vacateIdlest(atLeast = 1, host?: string): T | undefined {
    let found: T | undefined;
    for (const one of this.#seated) {
      if (one.idleness < atLeast || (host !== undefined && one.host !== host)) continue;
      if (found === undefined || this.#goesBefore(one, found)) found = one;
    }
    if (found === undefined) return undefined;
    this.leave(found);
    this.#vacate(found);
    return found;
  }

  #goesBefore(one: T, other: T): boolean {
    if (one.idleness !== other.idleness) return one.idleness > other.idleness;
    const more = this.count(one.host) - this.count(other.host);
    return more === 0 ? one.since < other.since : more > 0;
  }

  #makeRoomOf(host: string): boolean {
    if (!this.isFull(host)) return true;
    return this.#limits.fullHost === 'replaces' && this.vacateIdlest(1, host) !== undefined;
  }

  #add(host: string, change: 1 | -1): void {
    const count = this.count(host) + change;
    if (count === 0) this.#perHost.delete(host);
    else this.#perHost.set(host, count);
  }
}
