import type { FinishedCall } from '../finished-call.ts';
import type { MethodUses } from '../method-uses.ts';
import type { ToMain } from './channel.ts';

/** Calls are reported together, after this many milliseconds. */
const DELAY_MS = 50;
/** Sooner when there are this many. */
const MOST = 500;

/** A worker's reports of its calls to the main process. */
export class CallReports {
  readonly #usage: Pick<MethodUses, 'list' | 'clear'>;
  readonly #send: (message: ToMain) => void;
  #calls: FinishedCall[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param usage of the worker's methods; emptied by each report */
  constructor(usage: Pick<MethodUses, 'list' | 'clear'>, send: (message: ToMain) => void) {
    this.#usage = usage;
    this.#send = send;
  }

  add(call: FinishedCall): void {
    this.#calls.push(call);
    if (this.#calls.length >= MOST) this.flush();
    else this.soon();
  }

  /** Has the calls and the use of methods reported before long. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.flush(), DELAY_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const calls = this.#calls;
    const uses = this.#usage.list();
    this.#calls = [];
    this.#usage.clear();
    if (calls.length > 0 || uses.length > 0) this.#send({ kind: 'calls', calls, uses });
  }
}
