import type { ClientRequest, IncomingMessage } from 'node:http';

/** Most answers with a status below 200, which come before the one that counts. */
const MAX_INTERIM = 16;

/** Why there is no answer: the connection was closed before it, or too many others came before it. */
export type NoAnswer = 'closed' | 'too-many';

/**
 * Resolves with the answer to a request of node:http. Rejects when it fails, and with what `fail` makes when the server sends no
 * answer or more than 16 with a status below 200. Its errors have a listener from then on.
 */
export function httpAnswer(
  call: ClientRequest,
  fail: (why: string, reason: NoAnswer) => Error,
): Promise<IncomingMessage> {
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
