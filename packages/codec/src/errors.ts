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

  constructor(message: string, offset = 0) {
    super(`${message} (at offset ${offset})`);
    this.offset = offset;
  }
}
