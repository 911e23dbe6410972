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

/** A server answered that what was asked for is elsewhere. */
export class RedirectError extends UpdateError {
  override readonly name = 'RedirectError';
  /** As the server wrote it. */
  readonly location: string;

  constructor(location: string, message = 'it redirects elsewhere', options?: ErrorOptions) {
    super(message, options);
    this.location = location;
  }
}

/** The registry knows no version of this program. */
export class NotPublishedError extends UpdateError {
  override readonly name = 'NotPublishedError';
}
