import type { Logger } from '@monero-node/base';
import type { ChainTip } from './fleet-tip.ts';
import type { Member, MemberState } from './member.ts';

/** Blocks by which a node that is ready may differ from what most vouch for, before it is `apart`. */
const NEAR = 10;
/** How many times the work of an average block of the chain that many blocks may have: the newest ones have more. */
const HEAVY = 10n;
/** Looks in which a node has to be in the same state before there is a line: a single answer that is late is none. */
const LOOKS = 2;
/** Lines about one node in a minute; a node that comes and goes has no more. */
const LINES_A_MINUTE = 6;
const MINUTE = 60_000;

/** How a node of the fleet looks from here. `apart`: it says that it is ready, at a block that is far from that of most others. */
export type ReportedState = MemberState | 'apart';

/** Returns how a node looks beside the tip that most vouch for. @param now monotonic milliseconds */
export function reportedState(
  member: Member,
  vouched: ChainTip | undefined,
  now: number,
): ReportedState {
  const state = member.state(now);
  const tip = member.current(now)?.statement.tip;
  if (state !== 'ready' || tip === undefined || vouched === undefined) return state;
  return isFar(tip, vouched) ? 'apart' : state;
}

/** Returns whether a block is far from another one, by height or by work. Work of most chains grows, so it counts roughly. */
function isFar(tip: ChainTip, vouched: ChainTip): boolean {
  if (Math.abs(tip.height - vouched.height) > NEAR) return true;
  const average = vouched.work / BigInt(Math.max(1, vouched.height));
  const more = tip.work > vouched.work ? tip.work - vouched.work : vouched.work - tip.work;
  return more > BigInt(NEAR) * HEAVY * (average > 0n ? average : 1n);
}

interface Note {
  /** What the log said last. */
  told: ReportedState;
  /** The state at the last look, and the looks since it changed. */
  seen: ReportedState;
  looks: number;
  /** Lines since the beginning of the minute. */
  lines: number;
  minute: number;
}

/** Writes a line for each change of another node of the fleet. */
export class FleetReport {
  readonly #logger: Logger;
  readonly #notes = new Map<string, Note>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Takes how the nodes look now. To be called once in each round. @param now monotonic milliseconds */
  look(members: Iterable<Member>, vouched: ChainTip | undefined, now: number): void {
    const left = new Set(this.#notes.keys());
    for (const member of members) {
      left.delete(member.address);
      const state = reportedState(member, vouched, now);
      const note = this.#noteOf(member.address, now);
      note.looks = note.seen === state ? note.looks + 1 : 1;
      note.seen = state;
      if (now - note.minute >= MINUTE) Object.assign(note, { minute: now, lines: 0 });
      if (state === note.told || note.looks < LOOKS || note.lines >= LINES_A_MINUTE) continue;
      note.lines++;
      this.#say(member, state, note.told, vouched, now);
      note.told = state;
    }
    for (const address of left) this.#notes.delete(address);
  }

  /** A node that has just come is taken for ready, so that only what is wrong with it is said. */
  #noteOf(address: string, now: number): Note {
    const known = this.#notes.get(address);
    if (known !== undefined) return known;
    const note: Note = { told: 'ready', seen: 'ready', looks: 0, lines: 0, minute: now };
    this.#notes.set(address, note);
    return note;
  }

  #say(
    member: Member,
    state: ReportedState,
    before: ReportedState,
    vouched: ChainTip | undefined,
    now: number,
  ): void {
    const name = `The node ${member.address} of the fleet`;
    if (state === 'silent') this.#logger.warn(`${name} does not answer: it has no vote.`);
    if (state === 'not_ready')
      this.#logger.info(`${name} says that it is not ready: it has no vote.`);
    if (state === 'ready' && before !== 'self') this.#logger.info(`${name} is ready again.`);
    if (state !== 'apart') return;
    const height = member.current(now)?.statement.tip.height;
    this.#logger.warn(
      `${name} says that it is ready with ${height} blocks, far from the ${vouched?.height} that most have. Alone it changes nothing; see what is wrong with it.`,
    );
  }
}
