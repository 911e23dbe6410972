import type { MillisecondClock, SecondClock } from '@monero-node/base';
import { HashRate } from '../shares/hash-rate.ts';

/** Rigs that are remembered, connected or not; more than may be connected. */
const MOST_RIGS = 2048;

/** Whose address the blocks of a rig pay: that of the owner of the node, or the one that the rig has as its login. */
export type Payee = 'owner' | 'login';

/** What shares are counted as. */
export type ShareKind = 'accepted' | 'stale' | 'refused';

/** What is known about a connection of a rig. */
interface Arrival {
  /** Without its port. */
  readonly address: string;
  /** Program, as it names itself. */
  readonly agent: string;
  readonly pays: Payee;
}

/** The clocks of records. */
interface RecordClocks {
  readonly now: MillisecondClock;
  /** Unix seconds. */
  readonly unixTime: SecondClock;
}

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
  /** Whose address the blocks of the last connection pay. */
  pays: Payee = 'owner';
  /** Unix seconds at which the first of the open connections began, or at which the last one ended. */
  since: number;
  /** Seconds for which it was connected until its last connection ended. */
  connectedSeconds = 0;
  /** Difficulty that follows its hash rate, where a new connection goes on; undefined before the first. */
  difficulty: number | undefined;
  /** Difficulty of the shares of its newest job; 0 before the first. */
  shareDifficulty = 0;
  accepted = 0;
  stale = 0;
  refused = 0;
  blocks = 0;
  /** Unix seconds; undefined before the first share. */
  lastShareAt: number | undefined;
  readonly #unixTime: SecondClock;

  constructor(name: string, { now, unixTime }: RecordClocks) {
    this.name = name;
    this.rate = new HashRate(now);
    this.#unixTime = unixTime;
    this.since = unixTime();
  }

  /** Notes a connection. */
  enter({ address, agent, pays }: Arrival): void {
    if (this.connections === 0) this.since = this.#unixTime();
    this.connections++;
    this.address = address;
    this.agent = agent;
    this.pays = pays;
  }

  /** Notes the end of a connection. */
  leave(): void {
    this.connections--;
    if (this.connections > 0) return;
    const now = this.#unixTime();
    // The clock may have been set back.
    this.connectedSeconds += Math.max(0, now - this.since);
    this.since = now;
  }

  /** Counts a share. */
  count(kind: ShareKind): void {
    this[kind]++;
    this.lastShareAt = this.#unixTime();
  }
}

/** The figures of all rigs by name. When there are too many, one that is not connected is forgotten. */
export class RigRecords {
  readonly #clocks: RecordClocks;
  readonly #records = new Map<string, RigRecord>();

  constructor(clocks: RecordClocks) {
    this.#clocks = clocks;
  }

  /** Returns the record of a rig, which is made when there is none. */
  of(name: string): RigRecord {
    const known = this.#records.get(name);
    if (known !== undefined) return known;
    if (this.#records.size >= MOST_RIGS) this.#forgetOne();
    const record = new RigRecord(name, this.#clocks);
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
