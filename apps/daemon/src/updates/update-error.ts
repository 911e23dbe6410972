/** A newer version could not be looked for or downloaded; the message is for the operator. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError';
}
