import { monotonicMilliseconds } from '@monero-node/base';
import { LEVIN_ERROR_CONNECTION_DESTROYED, LEVIN_ERROR_TIMED_OUT, LevinError } from './frame.ts';
import type { LevinMessage } from './frame.ts';

/** Answers over which the shortest time is taken. */
const READINGS = 8;

/**
 * The time that a peer takes to answer: the shortest of the last few answers, because the others waited behind something
 * else on the link or in the peer.
 */
export class RoundTrip {
  readonly #readings: number[] = [];

  /** Adds the time from a request to its whole answer, milliseconds. */
  add(milliseconds: number): void {
    this.#readings.push(Math.max(0, milliseconds));
    if (this.#readings.length > READINGS) this.#readings.shift();
  }

  /** Milliseconds; undefined before the first answer. */
  get current(): number | undefined {
    return this.#readings.length === 0 ? undefined : Math.min(...this.#readings);
  }
}

/** Milliseconds that an invoke may remain unanswered unless its caller says otherwise. */
const INVOKE_TIMEOUT_MS = 120_000;
/** The same for the handshake and support flags. */
export const SHORT_INVOKE_TIMEOUT_MS = 5_000;

/** An invoke that failed. `returnCode` is one of the LEVIN_ERROR codes, or the peer's, which is then not above 0. */
export class InvokeError extends Error {
  override readonly name = 'InvokeError';
  readonly code = 'no-answer';
  readonly returnCode: number;

  constructor(returnCode: number, message: string) {
    super(message);
    this.returnCode = returnCode;
  }
}

export interface InvokeOptions {
  /** Milliseconds; {@link INVOKE_TIMEOUT_MS} when absent. */
  readonly timeoutMs?: number;
  /** Restart the time-out whenever a part of the answer arrives; true when absent. */
  readonly restartOnProgress?: boolean;
}

interface PendingInvoke {
  readonly command: number;
  readonly timeoutMs: number;
  readonly restarts: boolean;
  readonly askedAt: number;
  timer: NodeJS.Timeout;
  readonly resolve: (body: Uint8Array) => void;
  readonly reject: (error: InvokeError) => void;
}

/** The invokes of a connection that have no answer yet. Answers arrive in the order of the invokes. */
export class PendingInvokes {
  /** How long the peer takes to answer. */
  readonly roundTrip = new RoundTrip();
  readonly #onTimeout: (reason: string) => void;
  readonly #pending: PendingInvoke[] = [];

  /** @param onTimeout must close the connection, because the answers after the missing one could not be told apart */
  constructor(onTimeout: (reason: string) => void) {
    this.#onTimeout = onTimeout;
  }

  /** The command whose answer is due next; undefined when there is none. */
  get expected(): number | undefined {
    return this.#pending[0]?.command;
  }

  /** Returns the body of the answer. Rejects with InvokeError. */
  add(command: number, options: InvokeOptions = {}): Promise<Uint8Array> {
    const { timeoutMs = INVOKE_TIMEOUT_MS, restartOnProgress: restarts = true } = options;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#timedOut(pending), timeoutMs);
      timer.unref();
      const askedAt = monotonicMilliseconds();
      const pending: PendingInvoke = {
        command,
        timeoutMs,
        timer,
        restarts,
        askedAt,
        resolve,
        reject,
      };
      this.#pending.push(pending);
    });
  }

  /** Settles the oldest invoke. Throws LevinError if there is none. */
  settle({ body, command, returnCode }: LevinMessage): void {
    const pending = this.#pending.shift();
    if (!pending) throw new LevinError('response without an invoke');
    clearTimeout(pending.timer);
    this.roundTrip.add(monotonicMilliseconds() - pending.askedAt);
    if (returnCode > 0) pending.resolve(body);
    else pending.reject(new InvokeError(returnCode, `command ${command} was refused`));
  }

  /** Restarts the time-out of the oldest invoke: a part of its answer has arrived. */
  progressed(): void {
    const front = this.#pending[0];
    if (!front?.restarts) return;
    clearTimeout(front.timer);
    front.timer = setTimeout(() => this.#timedOut(front), front.timeoutMs);
    front.timer.unref();
  }

  /** Rejects every invoke: the connection is closed. */
  rejectAll(reason: string): void {
    for (const { reject, timer } of this.#pending.splice(0)) {
      clearTimeout(timer);
      reject(new InvokeError(LEVIN_ERROR_CONNECTION_DESTROYED, reason));
    }
  }

  #timedOut(pending: PendingInvoke): void {
    const at = this.#pending.indexOf(pending);
    if (at < 0) return;
    this.#pending.splice(at, 1);
    const reason = `command ${pending.command} was not answered`;
    pending.reject(new InvokeError(LEVIN_ERROR_TIMED_OUT, reason));
    this.#onTimeout(reason);
  }
}
