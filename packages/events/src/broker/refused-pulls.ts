import { PermissionViolationError } from '@nats-io/transport-node';
import type { EventNames } from './names.ts';

const PULL = '$JS.API.CONSUMER.MSG.NEXT';

/**
 * Keeps the streams whose messages a server refuses to send. The client library asks for messages without waiting for an answer, so
 * a refusal is known to the connection alone: whoever listens to its status hands it on to here.
 */
export class RefusedPulls {
  /** The refusals since somebody took them, by stream. */
  readonly #refused = new Map<string, Error>();
  readonly #streams: readonly string[];

  constructor({ chainStream, poolStream }: Pick<EventNames, 'chainStream' | 'poolStream'>) {
    this.#streams = [chainStream, poolStream];
  }

  /** Takes an error of the connection's status. */
  saw(error: Error): void {
    if (!(error instanceof PermissionViolationError)) return;
    for (const stream of this.#streams) {
      if (!error.subject.startsWith(`${PULL}.${stream}.`)) continue;
      // The end of the subject is another one for each consumer, and is no help to an operator.
      const subject = `${PULL}.${stream}.>`;
      const reason = `Permissions Violation for Publish to "${subject}"`;
      this.#refused.set(stream, new PermissionViolationError(reason, 'publish', subject));
    }
  }

  /** Returns the refusal for a stream, and forgets it. */
  take(stream: string): Error | undefined {
    const error = this.#refused.get(stream);
    this.#refused.delete(stream);
    return error;
  }
}
