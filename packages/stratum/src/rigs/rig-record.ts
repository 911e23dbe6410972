import type { MillisecondClock } from '@monero-node/base';
import { HashRate } from '../shares/hash-rate.ts';

/** Rigs that are remembered, connected or not; more than may be connected. */
const MOST_RIGS = 2048;

/** The figures of a rig, over all its connections. */
export class RigRecord {
  readonly name: string;
  readonly rate: HashRate;
  /** Open connections. */
  connections = 0;
  /** Address of the last connection, without its port. */
  address = '';
  /** Program, as it names itself. */
  agent = '';
  /** Difficulty of its shares, where a new connection goes on; undefined before the first. */
  difficulty: number | undefined;
  accepted = 0;
  stale = 0;
  refused = 0;
  blocks = 0;
  /** Milliseconds; undefined before the first share. */
  lastShareAt: number | undefined;

  constructor(name: string, now: MillisecondClock) {
    this.name = name;
    this.rate = new HashRate(now);
  }
}

/** The figures of all rigs by name. When there are too many, one that is not connected is forgotten. */
export class RigRecords {
  readonly #now: MillisecondClock;
  readonly #records = new Map<string, RigRecord>();

  /** @param now milliseconds */
  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  /** Returns the record of a rig, which is made when there is none. */
  of(name: string): RigRecord {
    const known = this.#records.get(name);
    if (known !== undefined) return known;
    if (this.#records.size >= MOST_RIGS) this.#forgetOne();
    const record = new RigRecord(name, this.#now);
    this.#records.set(name, record);
    return record;
  }

  /** Returns the records, in the order of their first login. */
  all(): RigRecord[] {
    return [...this.#records.values()];
  }

  #forgetOne(): void {
    for (const [name, { connections }] of this.#records) {
      if (connections > 0) continue;
      this.#records.delete(name);
      return;
    }
  }
}
