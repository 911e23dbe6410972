import { PermissionViolationError } from '@nats-io/transport-node';
import type { EventNames } from './names.ts';
import { plainRefusal } from '../plain-refusal.ts';

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
    const stream = this.#streams.find((name) => error.subject.startsWith(`${PULL}.${name}.`));
    const plain = plainRefusal(error);
    if (stream !== undefined && plain instanceof Error) this.#refused.set(stream, plain);
  }

  /** Returns the refusal for a stream, and forgets it. */
  take(stream: string): Error | undefined {
    const error = this.#refused.get(stream);
    this.#refused.delete(stream);
    return error;
  }
}
