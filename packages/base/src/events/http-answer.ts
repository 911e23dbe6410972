/** Most answers with a status below 200, which come before the one that counts. */
const MAX_INTERIM = 16;

/** Why there is no answer: the connection was closed before it, or too many others came before it. */
export type NoAnswer = 'closed' | 'too-many';

/** A `ClientRequest` of node:http, without its type: this package works without those of Node. */
interface HttpRequest<Answer> {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'information', listener: () => void): unknown;
  once(event: 'response', listener: (answer: Answer) => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  destroy(error: Error): unknown;
}

/**
 * Resolves with the answer (an `IncomingMessage`) to a request of node:http. Rejects when it fails, and with what `fail` makes when
 * the server sends no answer or more than 16 with a status below 200. Its errors have a listener from then on.
 */
export function httpAnswer<Answer>(
  call: HttpRequest<Answer>,
  fail: (why: string, reason: NoAnswer) => Error,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    call.on('error', reject);
    call.on('information', () => {
      if (++interim > MAX_INTERIM)
        call.destroy(fail(`it sent more than ${MAX_INTERIM} answers before the one`, 'too-many'));
    });
    call.once('response', resolve);
    // Status 101 ends the connection without any other event, and the signal of the request has no effect after it.
    call.once('close', () => reject(fail('it closed the connection without an answer', 'closed')));
  });
}
