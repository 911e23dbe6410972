/** A newer version could not be looked for or downloaded; the message is for the operator. */
export class UpdateError extends Error {
  override readonly name: string = 'UpdateError';
}

/** A server answered with another status than 200. */
export class StatusError extends UpdateError {
  override readonly name = 'StatusError';
  readonly status: number;

  constructor(
    status: number,
    message = `it answered with status ${status}`,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = status;
  }
}

/** The registry knows no version of this program. */
export class NotPublishedError extends UpdateError {
  override readonly name = 'NotPublishedError';
}
