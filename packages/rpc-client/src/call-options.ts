import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { untilAborted } from '@monero-node/base/signals';

/** Options of one call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds in which the answer must be complete, the wait for a turn included; by default those of the client. Then the call
   * rejects with RpcConnectionError and the code `timeout`.
   */
  readonly timeout?: number | undefined;
}

const OPTIONS: OptionTable<CallOptions> = { signal: OPTIONAL, timeout: OPTIONAL };

/** Longest time that timers take, milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Throws RangeError unless a number of milliseconds is one that a timer takes. */
export function assertTimeout(milliseconds: number): void {
  if (milliseconds > 0 && milliseconds <= MAX_TIMEOUT) return;
  throw new RangeError(`a time-out is 1 to ${MAX_TIMEOUT} milliseconds, not ${milliseconds}`);
}

/** Checks the options of a call. Throws OptionError for an unknown one, and RangeError for a time-out that is none. */
export function checkCall(call: CallOptions): void {
  checkOptions('a call', call, OPTIONS);
  if (call.timeout !== undefined) assertTimeout(call.timeout);
}

/**
 * Runs a task until it ends, its time is over or its caller has enough. Rejects with the error of the task, with the error that
 * `timedOut` makes, or with the reason of the caller's signal.
 *
 * @param task gets the signal that ends it
 * @param running has the controller of the task while it runs, which can end it with another reason
 */
export async function runCall<T>(
  { signal, timeout }: CallOptions,
  timedOut: () => Error,
  task: (ends: AbortSignal) => Promise<T>,
  running?: Set<AbortController>,
): Promise<T> {
  signal?.throwIfAborted();
  const ends = new AbortController();
  const giveUp = (): void => ends.abort(signal?.reason);
  const timer =
    timeout === undefined ? undefined : setTimeout(() => ends.abort(timedOut()), timeout);
  signal?.addEventListener('abort', giveUp, { once: true });
  running?.add(ends);
  try {
    return await untilAborted(task(ends.signal), ends.signal);
  } catch (error) {
    // Whatever the task makes of its end, the caller is told why it ended.
    ends.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    running?.delete(ends);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Resolves after some milliseconds. Rejects with the reason of the signal when it is aborted before. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await untilAborted(over, signal).finally(() => clearTimeout(timer));
}
