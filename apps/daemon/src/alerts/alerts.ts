import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { MillisecondClock, SecondClock } from '@monero-node/base';
import { ruleOf, type Alarm, type Alert, type AlertData, type AlertKind } from './alert.ts';

/** Milliseconds after which an alert that lasts is told again. */
export const REMINDER_MS = 3_600_000;
/** Characters of the longest sentence that is told. */
const LONGEST_MESSAGE = 1000;

export interface AlertClocks {
  /** A monotonic clock. */
  readonly now: MillisecondClock;
  readonly unixTime: SecondClock;
}

/** What is said in an alert. */
type Said = Pick<Alert, 'id' | 'kind' | 'state' | 'since' | 'message' | 'data'>;

/** The one place where alerts are raised. Whoever tells the operator of them listens to it. */
export class Alerts extends EventEmitter<{ alert: [Alert] }> {
  readonly #clocks: AlertClocks;
  /** Until when kinds that may happen very often are not told again. */
  readonly #quietUntil = new Map<AlertKind, number>();

  constructor(clocks: AlertClocks) {
    super();
    this.#clocks = clocks;
  }

  /** Returns what raises an alert while something lasts: at its beginning, once an hour, and at its end. */
  alarm(kind: AlertKind): Alarm {
    let open: { readonly id: string; readonly since: number; next: number } | undefined;
    const update: Alarm['update'] = (wrong, ended, data = {}) => {
      const now = this.#clocks.now();
      if (wrong === undefined) {
        if (open === undefined) return;
        const { id, since } = open;
        open = undefined;
        this.#raise({ id, kind, state: 'ended', since, message: ended, data });
        return;
      }
      if (open !== undefined && now < open.next) return;
      const state = open === undefined ? 'begins' : 'lasts';
      open ??= { id: randomUUID(), since: this.#clocks.unixTime(), next: 0 };
      open.next = now + REMINDER_MS;
      const { id, since } = open;
      this.#raise({ id, kind, state, since, message: wrong, data });
    };
    return { update };
  }

  /** Raises an alert about something that has happened. */
  tell(kind: AlertKind, message: string, data: AlertData = {}): void {
    if (ruleOf(kind).isRare === true) {
      const now = this.#clocks.now();
      if (now < (this.#quietUntil.get(kind) ?? -Infinity)) return;
      this.#quietUntil.set(kind, now + REMINDER_MS);
    }
    const since = this.#clocks.unixTime();
    this.#raise({ id: randomUUID(), kind, state: 'once', since, message, data });
  }

  #raise(said: Said): void {
    const severity = said.state === 'ended' ? 'info' : ruleOf(said.kind).severity;
    const message = said.message.replace(/\p{Cc}+/gu, ' ').slice(0, LONGEST_MESSAGE);
    this.emit('alert', { ...said, severity, time: this.#clocks.unixTime(), message });
  }
}
