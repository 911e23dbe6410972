/**
 * Thrown by every decoder in this package when bytes or text do not follow their format.
 *
 * Hostile input cannot make a decoder throw anything else. `offset` is the position in the input at
 * which decoding stopped: bytes for binary formats, UTF-16 units for text.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code = 'malformed';
  readonly offset: number;
  /** The message without the offset. */
  readonly reason: string;

  constructor(reason: string, offset = 0, options?: ErrorOptions) {
    super(`${reason} (at offset ${offset})`, options);
    this.reason = reason;
    this.offset = offset;
  }
}
