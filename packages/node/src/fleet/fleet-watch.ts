import { setMaxListeners } from 'node:events';
import {
  monotonicMilliseconds,
  Periodic,
  secureRandom,
  type Logger,
  type MillisecondClock,
} from '@monero-node/base';
import { plainHost } from '@monero-node/p2p/hosts';
import { askNode, FRESH_MS, MAX_NODES, writeAnswer, type AgedStatement } from './fleet-answer.ts';
import { FleetName } from './fleet-name.ts';
import { FleetReport, reportedState } from './fleet-report.ts';
import { vouchedTip, type ChainTip } from './fleet-tip.ts';
import { Member } from './member.ts';
import { resolveNodes, systemNames, type FleetNode, type FoundNodes } from './resolve-nodes.ts';
import { Signer, type OwnFigures, type Statement } from './statement.ts';

export interface FleetWatchOptions {
  /** The other nodes, and names of them. This one may be among them. */
  readonly nodes: readonly FleetNode[];
  readonly logger: Logger;
  /** Milliseconds between two rounds of questions. */
  readonly interval?: number;
  /** Returns the nodes of a name; with the system's DNS servers by default. */
  readonly resolve?: (node: FleetNode, stop: AbortSignal) => Promise<FoundNodes>;
  /** Asks a node for what it knows, over HTTP by default. */
  readonly ask?: typeof askNode;
  /** Monotonic. */
  readonly now?: MillisecondClock;
}

/** The fleet as this node sees it. */
export interface FleetFigures {
  /** The other nodes, by what they said last. */
  readonly ready: number;
  readonly notReady: number;
  /** Those that say that they are ready, at a block far from that of most. */
  readonly apart: number;
  /** Those that do not answer. */
  readonly silent: number;
  /** Of the tip that a quorum vouches for; undefined while no other node is ready. */
  readonly height: number | undefined;
  /** Questions asked since the start. */
  readonly questions: number;
}

/** Milliseconds between two rounds of questions. */
const INTERVAL = 1000;
/** Milliseconds until a node that does not answer counts as absent. */
const TIMEOUT = 900;
/** Milliseconds for which the start waits for names. */
const FIRST_NAMES_MS = 5000;
/** Questions a round that all nodes of a fleet ask together, if each may ask one at least. */
const FLEET_QUESTIONS = 20;
/** Rounds after which an address at which this node has found itself is asked again: it may belong to another one by then. */
const SELF_ROUNDS = 30;
/** Milliseconds for which a statement about unchanged figures is given again. */
const RESTATE_MS = 1000;
/** The same for a whole answer while nothing is heard of others: its ages are wrong by as much. Anybody may ask without pause. */
const REWRITE_MS = 250;

/**
 * Asks other nodes of a fleet every second what they and those that they know have said of themselves, at `/health/fleet`. A node
 * whose peers are gone, or silent, does not know that it lags; they tell it. All they can do is keep it from being ready, and only
 * most of them together.
 *
 * Up to five nodes ask each other in every round. In a larger fleet each asks so few that all together ask 20 a second, or one each, in
 * turn, and hears of the rest from those.
 */
export class FleetWatch {
  readonly #options: FleetWatchOptions;
  readonly #signer = new Signer();
  readonly #names: readonly FleetName[];
  readonly #report: FleetReport;
  readonly #rounds: Periodic;
  readonly #now: MillisecondClock;
  /** By address. */
  #members: ReadonlyMap<string, Member> = new Map();
  /** Those that have left lately, by address: a server may answer with a few addresses in turn. */
  readonly #left = new Map<string, { readonly member: Member; readonly at: number }>();
  readonly #stop = new AbortController();
  #round = 0;
  #questions = 0;
  /** What this node said last. */
  #own: { readonly statement: Statement; readonly at: number } | undefined;
  /** The last answer to another node; undefined when others have said more since. */
  #written: { readonly text: string; readonly of: Statement; readonly at: number } | undefined;

  constructor(options: FleetWatchOptions) {
    const { nodes, logger, now = monotonicMilliseconds, interval = INTERVAL } = options;
    const fromSystem = (node: FleetNode, stop: AbortSignal): Promise<FoundNodes> =>
      resolveNodes(node, systemNames(), stop);
    const { resolve = fromSystem } = options;
    // As many as there are questions at a time.
    setMaxListeners(0, this.#stop.signal);
    this.#options = options;
    this.#now = now;
    this.#report = new FleetReport(logger);
    this.#names = nodes.map((node) => new FleetName({ node, logger, resolve, now }));
    this.#rounds = new Periodic(interval, () => this.round());
  }

  /**
   * The key of this process. `/health/ready` shows it, so that an operator can tell nodes apart; by its statement this node knows
   * itself at any address. Undefined without other nodes.
   */
  get instanceId(): string | undefined {
    return this.#names.length === 0 ? undefined : this.#signer.id;
  }

  /** The tip that most nodes which are ready vouch for; undefined when none is. */
  get tip(): ChainTip | undefined {
    const votes = this.#current().filter(({ statement }) => statement.isReady);
    return vouchedTip(votes.map(({ statement }) => statement.tip));
  }

  /** Undefined without other nodes. */
  get figures(): FleetFigures | undefined {
    if (this.#names.length === 0) return undefined;
    const now = this.#now();
    const { tip } = this;
    const states = this.#speakers().map((member) => reportedState(member, tip, now));
    const count = (state: string): number => states.filter((each) => each === state).length;
    return {
      ready: count('ready'),
      notReady: count('not_ready'),
      apart: count('apart'),
      silent: count('silent'),
      height: tip?.height,
      questions: this.#questions,
    };
  }

  /** Returns whether a node of the fleet has this address. */
  has(address: string): boolean {
    const plain = plainHost(address);
    return this.#names.some(({ addresses }) => addresses.includes(plain));
  }

  /** Returns the answer to another node: what this one says of itself, and what it knows of the others. */
  answer(own: OwnFigures): string {
    const now = this.#now();
    const isNew = this.#own === undefined || isChanged(this.#own.statement, own);
    if (this.#own === undefined || isNew || now - this.#own.at >= RESTATE_MS)
      this.#own = { statement: this.#signer.sign(own), at: now };
    const { statement, at } = this.#own;
    const written = this.#written;
    if (written?.of === statement && now - written.at < REWRITE_MS) return written.text;
    const first: AgedStatement = { statement, age: now - at };
    const text = writeAnswer([first, ...this.#current().slice(0, MAX_NODES - 1)]);
    this.#written = { text, of: statement, at: now };
    return text;
  }

  /** Resolves after all nodes were asked once, so that the node does not call itself ready without having asked. */
  async start(): Promise<void> {
    if (this.#names.length === 0) return;
    const late = new Promise<void>((resolve) => setTimeout(resolve, FIRST_NAMES_MS).unref());
    await Promise.race([this.#resolve(), late]);
    await this.#ask([...this.#members.values()]);
    if (!this.#stop.signal.aborted) this.#rounds.start();
  }

  /** Ends the questions and the look-ups that are under way, too. */
  stop(): Promise<void> {
    this.#rounds.stop();
    this.#stop.abort();
    for (const name of this.#names) name.stop();
    return Promise.resolve();
  }

  /** Asks the nodes whose turn it is. Never rejects. */
  async round(): Promise<void> {
    // Those that a name has gained or lost are asked, or not, from the next round on.
    void this.#resolve();
    const members = [...this.#members.values()];
    const now = this.#now();
    const others = members.filter((member) => member.state(now) !== 'self');
    const share = Math.floor(FLEET_QUESTIONS / (others.length + 1));
    const due = members.filter(
      (member) => others.includes(member) || this.#round - member.askedIn >= SELF_ROUNDS,
    );
    const turn = inAnyOrder(due).sort((a, b) => a.askedIn - b.askedIn);
    await this.#ask(turn.slice(0, Math.max(1, share)));
    if (!this.#stop.signal.aborted)
      this.#report.look(this.#members.values(), this.tip, this.#now());
  }

  /** Resolves the names whose time has come. */
  async #resolve(): Promise<void> {
    // A name that takes long does not hold up the others.
    await Promise.all(this.#names.map((name) => name.refresh().then(() => this.#recount())));
  }

  #recount(): void {
    const now = this.#now();
    const addresses = [...new Set(this.#names.flatMap(({ asked }) => asked))].slice(0, MAX_NODES);
    const before = this.#members;
    this.#members = new Map(
      addresses.map((address) => [
        address,
        before.get(address) ?? this.#left.get(address)?.member ?? new Member(address),
      ]),
    );
    for (const [address, member] of before) this.#left.set(address, { member, at: now });
    for (const [address, { at }] of this.#left)
      if (this.#members.has(address) || now - at >= FRESH_MS) this.#left.delete(address);
  }

  async #ask(members: readonly Member[]): Promise<void> {
    const { ask = askNode } = this.#options;
    this.#round++;
    this.#questions += members.length;
    await Promise.all(
      members.map(async (member) => {
        member.askedIn = this.#round;
        try {
          this.#take(member, await ask(member.address, TIMEOUT, this.#stop.signal));
        } catch {
          member.miss();
        }
        this.#written = undefined;
      }),
    );
  }

  #take(member: Member, [own, ...others]: readonly AgedStatement[]): void {
    const now = this.#now();
    if (own === undefined) throw new Error('an answer without a statement');
    member.takeOwn(own, this.#signer.id, now);
    const byId = new Map<string, Member[]>();
    for (const one of this.#members.values())
      if (one.id !== undefined) byId.set(one.id, [...(byId.get(one.id) ?? []), one]);
    for (const repeated of others)
      for (const one of byId.get(repeated.statement.id) ?? [])
        if (!one.takeRepeated(repeated, now)) return;
  }

  #current(): AgedStatement[] {
    const now = this.#now();
    return this.#speakers().flatMap((member) => member.current(now) ?? []);
  }

  /** Returns one member for each key, that with its newest statement, and those that have none. So no key has two votes. */
  #speakers(): Member[] {
    const speakers = new Map<string, Member>();
    for (const member of this.#members.values()) {
      const key = member.id ?? member.address;
      const known = speakers.get(key);
      if (known === undefined || known.isOlderThan(member)) speakers.set(key, member);
    }
    return [...speakers.values()];
  }
}

function isChanged({ isReady, tip }: Statement, own: OwnFigures): boolean {
  return isReady !== own.isReady || tip.id !== own.tip.id || tip.height !== own.tip.height;
}

/** Returns the same members in a random order: those whose turns are equal, such as all at the start, are not asked by all at once. */
function inAnyOrder(members: readonly Member[]): Member[] {
  return members
    .map((member) => ({ member, at: secureRandom() }))
    .sort((a, b) => a.at - b.at)
    .map(({ member }) => member);
}
