import { toHex } from '@monero-node/codec/bytes';
import { WatchError } from './watch-error.ts';

/**
 * How far a program has followed the chain: plain data, for `JSON.stringify`. Store that of an event together with what the event
 * changed, and give it back to go on after that event.
 */
export interface WatchPosition {
  readonly version: 1;
  /** Id of the first block of the chain, hex. */
  readonly genesis: string;
  /** The height from which on blocks are told. */
  readonly from: number;
  /** The height of the last block that was told; -1 before the first one. */
  readonly height: number;
  /** The ids of the last blocks up to `height`, hex, the oldest first. */
  readonly ids: readonly string[];
  /** The most work of a chain that is known to have the last block, a decimal number: less does not replace it. */
  readonly work: string;
}

/** Most blocks that a position may remember: headers that a restricted node returns at once. Source: RESTRICTED_BLOCK_HEADER_RANGE. */
export const MOST_REMEMBERED = 1000;
/** Heights of the newest blocks in a request; before them the distance doubles. Source: get_short_chain_history of wallet2.cpp. */
const DENSE = 10;
const ID = /^[0-9a-f]{64}$/;
/** The work of a chain has 128 bits. */
const WORK = /^\d{1,39}$/;

/** Returns whether a value is a height, or -1 where it may be one. */
function isHeight(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
}

/** Returns a position that was stored, checked. Throws WatchError with the code `bad-position` for anything else. */
export function readPosition(value: unknown): WatchPosition {
  const bad = (what: string) => new WatchError('bad-position', `position: ${what}`);
  if (typeof value !== 'object' || value === null) throw bad('not an object');
  const { version, genesis, from, height, ids, work } = value as Partial<
    Record<keyof WatchPosition, unknown>
  >;
  if (version !== 1) throw bad('its version is not 1');
  if (typeof genesis !== 'string' || !ID.test(genesis)) throw bad('genesis is not an id in hex');
  if (!isHeight(from, 0)) throw bad('from is not a height');
  if (!isHeight(height, -1)) throw bad('height is neither a height nor -1');
  if (typeof work !== 'string' || !WORK.test(work)) throw bad('work is not a decimal number');
  if (!Array.isArray(ids) || ids.length > Math.min(MOST_REMEMBERED, height + 1)) {
    throw bad('ids is not a list of the blocks up to height');
  }
  const list: unknown[] = ids;
  if (!list.every((id): id is string => typeof id === 'string' && ID.test(id))) {
    throw bad('ids has something that is not an id in hex');
  }
  if (height >= 0 && list.length === 0) throw bad('ids is empty');
  return { version, genesis, from, height, ids: [...list], work };
}

/** The newest blocks that were told, as far as a reorganization may reach; also for other sources of the same events. */
export class Trail {
  readonly genesis: string;
  readonly from: number;
  readonly #most: number;
  #height: number;
  #ids: string[];
  #work: bigint;

  /** @param most blocks to remember */
  constructor({ genesis, from, height, ids, work }: WatchPosition, most: number) {
    this.genesis = genesis;
    this.from = from;
    this.#most = most;
    this.#height = height;
    this.#ids = ids.slice(-most);
    this.#work = BigInt(work);
  }

  /** The height of the last block; -1 before the first one. */
  get height(): number {
    return this.#height;
  }

  /** The most work of a chain that is known to have the last block. */
  get work(): bigint {
    return this.#work;
  }

  /** The height of the oldest block that is remembered. */
  get oldest(): number {
    return this.#height - this.#ids.length + 1;
  }

  /** Returns the id of a block, hex; undefined for one that is not remembered. */
  idAt(height: number): string | undefined {
    return this.#ids[height - this.oldest];
  }

  /** Takes the last block away and returns its id, hex. */
  revert(): string {
    const id = this.#ids.pop();
    if (id === undefined) throw new WatchError('too-deep', `block ${this.#height} is forgotten`);
    this.#height--;
    return id;
  }

  /** Adds the next block, which a chain with this work has. */
  apply(id: Uint8Array, work: bigint): void {
    this.#ids.push(toHex(id));
    if (this.#ids.length > 2 * this.#most) this.#ids = this.#ids.slice(-this.#most);
    this.#height++;
    if (work > this.#work) this.#work = work;
  }

  /** Returns the ids by which a node finds where its chain and this one part, hex: the newest first, the first block last. */
  history(): string[] {
    const ids: string[] = [];
    let step = 1;
    for (let height = this.#height; height >= this.oldest && height > 0; height -= step) {
      ids.push(this.idAt(height) as string);
      if (ids.length >= DENSE) step *= 2;
    }
    const oldest = this.idAt(this.oldest);
    if (this.oldest > 0 && oldest !== undefined && !ids.includes(oldest)) ids.push(oldest);
    return [...ids, this.genesis];
  }

  /** Returns the present position. */
  position(): WatchPosition {
    return {
      version: 1,
      genesis: this.genesis,
      from: this.from,
      height: this.#height,
      ids: this.#ids.slice(-this.#most),
      work: this.#work.toString(),
    };
  }
}
