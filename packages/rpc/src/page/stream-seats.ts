import { monotonicMilliseconds, Seats } from '@monero-node/base';

/** How many streams are open at a time. */
export interface StreamLimits {
  readonly perHost: number;
  readonly total: number;
}

/** The seat of one stream. */
class StreamSeat {
  readonly host: string;
  /** Every stream may end, for its browser comes back. */
  readonly idleness = 1;
  readonly since = monotonicMilliseconds();
  readonly end: () => void;

  constructor(host: string, end: () => void) {
    this.host = host;
    this.end = end;
  }
}

/**
 * The open event streams of a port. A host over its limit loses its oldest stream; when there are too many in all, the host with
 * most streams does. So streams that are held open keep nobody out.
 */
export class StreamSeats {
  readonly #seats: Seats<StreamSeat>;

  constructor({ total, perHost }: StreamLimits) {
    this.#seats = new Seats<StreamSeat>(
      { total, perHost: () => perHost, fullHost: 'replaces' },
      ({ end }) => end(),
    );
  }

  get total(): number {
    return this.#seats.size;
  }

  /**
   * Takes a seat for a stream of a host. Returns the function that frees it, which may be called again.
   *
   * @param end ends the stream, whose seat another one has then
   */
  take(host: string, end: () => void): () => void {
    const seat = new StreamSeat(host, end);
    this.#seats.enter(seat);
    return () => this.#seats.leave(seat);
  }
}
