import type { StreamReader } from './stream-reader.ts';

/** After this time without a message an empty one is sent: the client sees that the stream is alive. Milliseconds. */
const QUIET_MS = 15_000;
/** A client that does not take what was sent for this long is cut off, milliseconds. */
const STUCK_MS = 30_000;
/** Milliseconds after which a browser that lost the stream tries again. */
const RETRY_MS = 2000;

/** The same for a stream whose seat another one has: two that replace each other must not do so all the time. */
const LATE_RETRY_MS = 60_000;

const BEGIN = Buffer.from(`retry: ${RETRY_MS}\n\n`);
/** What the node's page is sent when there is nothing else. */
const PAGE_BEAT = Buffer.from('event: beat\ndata: {}\n\n');
/** The same for programs, which no reader shows them: a comment. */
export const COMMENT_BEAT: Uint8Array = Buffer.from(': beat\n\n');

const LOST_SEAT = Buffer.from(`retry: ${LATE_RETRY_MS}\n\n`);

interface EventStreamOptions {
  readonly reader: Pick<StreamReader<unknown>, 'next' | 'close'>;
  /** Closes the connection of a client that does not read. */
  readonly cutOff: () => void;
  /** Returns whether the stream ends to make room for another one; never by default. */
  readonly hasLostSeat?: () => boolean;
  /** What is sent when there is nothing else; the event `beat` by default. */
  readonly beat?: Uint8Array | undefined;
  readonly quietMs?: number;
  readonly stuckMs?: number;
}

/** Makes the bytes of an event stream, UTF-8, while the client reads them. Ends with its reader. Times are in milliseconds. */
export async function* eventStream({
  reader,
  cutOff,
  hasLostSeat = () => false,
  beat = PAGE_BEAT,
  quietMs = QUIET_MS,
  stuckMs = STUCK_MS,
}: EventStreamOptions): AsyncGenerator<readonly Uint8Array[], void> {
  let begin: readonly Uint8Array[] = [BEGIN];
  try {
    for (;;) {
      const messages = await reader.next(quietMs);
      if (messages === undefined) {
        if (hasLostSeat()) yield [LOST_SEAT];
        return;
      }
      const part = messages.length === 0 ? [...begin, beat] : [...begin, ...messages];
      begin = [];
      const timer = setTimeout(cutOff, stuckMs);
      timer.unref();
      try {
        // Goes on when the client has taken this part.
        yield part;
      } finally {
        clearTimeout(timer);
      }
    }
  } finally {
    reader.close();
  }
}
