/** A message whose bytes are made as they are sent, so that it never is in memory as a whole. */
export interface LazyMessage {
  /** Bytes of the whole message. */
  readonly length: number;
  /** Yields the message in pieces of any size; throws when it cannot be completed. */
  readonly pieces: Iterator<Uint8Array>;
}
