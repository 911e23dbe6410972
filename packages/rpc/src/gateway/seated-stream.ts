import { setImmediate as eventLoopRound } from 'node:timers/promises';
import { clientHost } from '@monero-node/p2p/hosts';
import { eventStream } from '../page/event-stream.ts';
import type { StreamReader } from '../page/stream-reader.ts';
import type { StreamSeats } from '../page/stream-seats.ts';
import type { Reply } from './answers/reply.ts';
import type { Origin } from './call-request.ts';

/** One stream of events and whom it is for. */
interface SeatedStream {
  readonly reader: Pick<StreamReader<unknown>, 'next' | 'close'>;
  readonly seats: StreamSeats;
  readonly origin: Origin;
  /** See `eventStream`. */
  readonly beat?: Uint8Array;
}

/**
 * Takes a seat and makes the bytes of a stream of events. It ends when the client leaves, its reader is closed, or another stream has
 * its seat.
 */
export function seatedStream(parts: SeatedStream): NonNullable<Reply['body']['rest']> {
  const { reader, seats, origin, beat } = parts;
  let hasLostSeat = false;
  const leave = seats.take(clientHost(origin.address), () => {
    hasLostSeat = true;
    reader.close();
  });
  const end = (): void => {
    leave();
    reader.close();
  };
  const unwatch = origin.onGone(end);
  if (origin.isGone) end();
  const stream = eventStream({
    reader,
    cutOff: () => origin.cutOff(),
    hasLostSeat: () => hasLostSeat,
    beat,
  });
  return withEnd(stream, () => {
    unwatch();
    end();
  });
}

/** Calls `end` when the stream has ended. */
async function* withEnd<T>(
  stream: AsyncGenerator<T, void>,
  end: () => void,
): AsyncGenerator<T, void> {
  try {
    for await (const part of stream) {
      yield part;
      // A client that reads quickly, from far back, must not hold the event loop.
      await eventLoopRound();
    }
  } finally {
    end();
  }
}
