/** Messages as the client hands them out. They end once they are closed; reading them no further closes them, too. */
export interface ClosableMessages<T> extends AsyncIterable<T> {
  close(): Promise<unknown>;
}

/**
 * Calls a function with one message after the other until the signal is aborted. Rejects with the first error of the function
 * or of the messages. They are closed in each case.
 */
export async function takeMessages<T>(
  messages: ClosableMessages<T>,
  take: (message: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // Nobody waits for it: it resolves only when the messages are read to their end.
  const close = (): void => void messages.close();
  signal.addEventListener('abort', close);
  try {
    if (signal.aborted) close();
    for await (const message of messages) {
      if (signal.aborted) return;
      await take(message);
    }
  } finally {
    signal.removeEventListener('abort', close);
  }
}
