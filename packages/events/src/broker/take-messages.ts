import type { Consumer } from '@nats-io/jetstream';
import { NO_STREAM } from './stream-info.ts';
import { hasCode } from './streams.ts';

/** The code of JetStream for a consumer that is not there. */
export const NO_CONSUMER = 10014;

/** Milliseconds between counts of the messages that wait. */
const COUNT_MS = 100;
/** Milliseconds between questions whether messages can still come, and until the first, when messages have been asked for. */
const ASK_MS = 1500;
const FIRST_ASK_MS = 50;

/** Has the client library end the messages of a consumer that is gone, where it learns of it. */
export const ABORTS = { abort_on_missing_resource: true } as const;

/** Messages as the client hands them out. They end once they are closed; reading them no further closes them, too. */
export interface ClosableMessages<T> extends AsyncIterable<T> {
  close(): Promise<unknown>;
  /** Returns how many messages have come that were not handed out. */
  getPending(): number;
}

export interface TakeOptions {
  readonly signal: AbortSignal;
  /** Most messages that wait: more than a server was asked for. */
  readonly maxWaiting: number;
  /** Resolves to the reason why no messages can come any more, for example because the stream is deleted; else to undefined. */
  readonly whyOver?: () => Promise<Error | undefined>;
  /** Called once `whyOver` has found no reason at first. */
  readonly onSound?: () => void;
}

/**
 * Calls a function with one message after the other until the signal is aborted. Rejects with the first error of the function
 * or of the messages, with Error when the server sends far more than it was asked for, and with the reason when no more can come.
 * They are closed in each case.
 */
export async function takeMessages<T>(
  messages: ClosableMessages<T>,
  take: (message: T) => Promise<void>,
  { signal, maxWaiting, whyOver, onSound }: TakeOptions,
): Promise<void> {
  let isFlooded = false;
  let over: Error | undefined;
  // Nobody waits for it: it resolves only when the messages are read to their end.
  const close = (): void => void messages.close();
  const count = (): void => {
    if (isFlooded || messages.getPending() <= maxWaiting) return;
    isFlooded = true;
    close();
  };
  // The function may take long, and messages come meanwhile.
  const timer = setInterval(count, COUNT_MS);
  timer.unref();
  const asking =
    whyOver &&
    askRegularly(whyOver, {
      onSound,
      end(reason) {
        over = reason;
        close();
      },
    });
  signal.addEventListener('abort', close);
  try {
    if (signal.aborted) close();
    for await (const message of messages) {
      if (signal.aborted) return;
      count();
      if (isFlooded || over !== undefined) break;
      await take(message);
    }
    if (isFlooded) throw new Error('the server sends more messages than it was asked for');
    if (over !== undefined) throw over;
  } finally {
    clearInterval(timer);
    asking?.stop();
    signal.removeEventListener('abort', close);
  }
}

/**
 * Asks a server for a consumer; resolves to the reason when it is gone, with its stream or without. The client library asks
 * only after heartbeats have been missing for half a minute, and then waits for as long as the stream is gone.
 */
export async function whyOver(consumer: Pick<Consumer, 'info'>): Promise<Error | undefined> {
  try {
    await consumer.info();
  } catch (error) {
    if (hasCode(error, NO_STREAM)) return new Error('the stream is gone');
    if (hasCode(error, NO_CONSUMER))
      return new Error('the stream was made anew, or the consumer removed');
  }
  return undefined;
}

/** Asks now and then, one question at a time, until there is a reason, which is handed on, or it is stopped. */
function askRegularly(
  whyOver: () => Promise<Error | undefined>,
  told: { readonly onSound: (() => void) | undefined; end(reason: Error): void },
): { stop(): void } {
  let { onSound } = told;
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const reason = await whyOver().catch(() => undefined);
    isAsking = false;
    if (isStopped) return;
    if (reason === undefined) {
      onSound?.();
      onSound = undefined;
      return;
    }
    stop();
    told.end(reason);
  };
  const first = setTimeout(() => void ask(), FIRST_ASK_MS);
  const timer = setInterval(() => void ask(), ASK_MS);
  first.unref();
  timer.unref();
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    clearTimeout(first);
    clearInterval(timer);
  };
  return { stop };
}
