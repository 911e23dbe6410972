/** A call that has ended. */
export interface FinishedCall {
  /** How it came: through a port of the HTTP server, through ZeroMQ, or from the console of this process. */
  readonly interface: 'http' | 'zmq' | 'local';
  /** Address of the client, without its port; undefined for the console and for a local socket. */
  readonly address: string | undefined;
  /**
   * The request, as the client wrote it: the path, followed by the method of a JSON-RPC call, or the method of a ZeroMQ call. At most 80
   * printable ASCII characters; clients make them up.
   */
  readonly request: string;
  /** Name of a method that this node serves, `health` for a probe, `page` for the web page, `events` for the stream
   * of events, or `unknown`. */
  readonly method: string;
  /**
   * HTTP status of the answer, `ok` for one of ZeroMQ, `error` for an answer that says why the call failed (its HTTP status is
   * 200), or `aborted` when the connection ended before there was an answer.
   */
  readonly status: string;
  /** Whether the client got the whole answer. */
  readonly isSent: boolean;
  /** Seconds from the arrival of the whole request until its answer was ready to be sent, its wait for a turn included. */
  readonly secondsToAnswer: number;
  /** Seconds from the headers of the request until the last byte of the answer was sent. */
  readonly seconds: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
}

/** Takes notice of each call that has ended. It must be quick and must not throw. */
export type OnCall = (call: FinishedCall) => void;

/** Longest request that is shown, characters. */
const MAX_SHOWN = 80;

/** Returns what a client wrote as at most 80 printable ASCII characters. */
export function shownRequest(first: string, second?: string): string {
  const start = first.length > MAX_SHOWN ? first.slice(0, MAX_SHOWN) : first;
  const text = second === undefined ? start : `${start} ${second.slice(0, MAX_SHOWN)}`;
  return text.slice(0, MAX_SHOWN).replace(/[^\x20-\x7e]/g, '?');
}
