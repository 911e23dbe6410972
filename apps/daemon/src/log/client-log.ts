import {
  groupedDigits,
  monotonicMilliseconds,
  Periodic,
  systemSeconds,
  type Logger,
} from '@monero-node/base';
import type { Part } from '@monero-node/node';
import { ClientUses, type ClientUse, type FinishedCall } from '@monero-node/rpc';

/** Most clients with a line of their own; the others share one. */
const MOST_LINES = 20;

export interface ClientLogOptions {
  /** Minutes between lines; 0: no lines are written. */
  readonly minutes: number;
  readonly logger: Logger;
  /** Returns whether somebody looks at the figures of clients. */
  readonly isWatched: () => boolean;
}

/** Counts what RPC clients cost, while that is of use, and writes a line for each now and then. */
export class ClientLog implements Part {
  readonly name = 'log of RPC clients';
  /** Since counting began. */
  readonly uses = new ClientUses(systemSeconds);
  /** Since the last lines. */
  readonly #latest = new ClientUses(systemSeconds);
  readonly #options: ClientLogOptions;
  readonly #lines: Periodic;
  /** When the last lines were written, or the log was started; monotonic milliseconds. */
  #from = 0;

  constructor(options: ClientLogOptions) {
    this.#options = options;
    this.#lines = new Periodic(options.minutes * 60_000, () => this.#write());
  }

  start(): Promise<void> {
    this.#from = monotonicMilliseconds();
    if (this.#options.minutes > 0) this.#lines.start();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#lines.stop();
    if (this.#options.minutes > 0) this.#write();
    return Promise.resolve();
  }

  /** Returns whether the calls that begin now are counted. When nobody looks any more, counting begins anew next time. */
  readonly wantsCalls = (): boolean => {
    const { minutes, isWatched } = this.#options;
    const isWanted = minutes > 0 || isWatched();
    if (!isWanted && this.uses.since !== undefined) this.uses.clear();
    return isWanted;
  };

  /** Somebody begins to look: without lines, what was counted for others before is of no use. */
  watched(): void {
    if (this.#options.minutes === 0) this.uses.clear();
  }

  readonly onCall = (call: FinishedCall): void => {
    if (!this.wantsCalls()) return;
    this.uses.add(call);
    if (this.#options.minutes > 0) this.#latest.add(call);
  };

  #write(): void {
    const { logger } = this.#options;
    const now = monotonicMilliseconds();
    const time = duration((now - this.#from) / 1000);
    this.#from = now;
    const all = this.#latest.top(Infinity);
    for (const use of all.slice(0, MOST_LINES))
      logger.info(`RPC client ${use.host}: ${figures(use)} in ${time}`);
    const more = all.slice(MOST_LINES);
    const rest = [...more, this.#latest.others];
    const sum = {
      calls: total(rest, 'calls'),
      bytes: total(rest, 'bytes'),
      seconds: total(rest, 'seconds'),
    };
    if (sum.calls > 0) logger.info(`Other RPC clients: ${figures(sum)} in ${time}`);
    this.#latest.clear();
  }
}

type Figures = Omit<ClientUse, 'host'>;

const total = (uses: readonly Figures[], figure: keyof Figures): number =>
  uses.reduce((sum, use) => sum + use[figure], 0);

/** Returns a time in whole minutes, or in seconds when it is shorter than one. */
function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}

/** Returns what clients have cost, in words. */
function figures({ calls, bytes, seconds }: Figures): string {
  const many = calls === 1 ? '1 call' : `${groupedDigits(calls)} calls`;
  return `${many}, ${groupedDigits(bytes)} bytes, ${seconds.toFixed(1)} s`;
}
