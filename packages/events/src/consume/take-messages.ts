/** Milliseconds between counts of the messages that wait. */
const COUNT_MS = 100;

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
}

/**
 * Calls a function with one message after the other until the signal is aborted. Rejects with the first error of the function
 * or of the messages, and with Error when the server sends far more than it was asked for. They are closed in each case.
 */
export async function takeMessages<T>(
  messages: ClosableMessages<T>,
  take: (message: T) => Promise<void>,
  { signal, maxWaiting }: TakeOptions,
): Promise<void> {
  let isFlooded = false;
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
  signal.addEventListener('abort', close);
  try {
    if (signal.aborted) close();
    for await (const message of messages) {
      if (signal.aborted) return;
      count();
      if (isFlooded) break;
      await take(message);
    }
    if (isFlooded) throw new Error('the server sends more messages than it was asked for');
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', close);
  }
}
