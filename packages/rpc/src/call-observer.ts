/** A call that has ended. */
export interface CallFacts {
  /** Name of a method that this node serves, `health` for a probe, or `unknown`. */
  readonly method: string;
  /**
   * HTTP status of the answer, `error` for an answer with status 200 that says why the call failed, or `aborted` when the
   * connection ended before there was an answer.
   */
  readonly status: string;
  /** Seconds from the arrival of the request until its answer was ready to be sent, its wait for a turn included. */
  readonly seconds: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
}

/** Takes notice of each call that has ended. It must be quick and must not throw. */
export type CallObserver = (call: CallFacts) => void;
