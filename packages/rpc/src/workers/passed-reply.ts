import type { Reply } from '../gateway/reply.ts';
import type { PassedReply } from './channel.ts';

/** Returns the part of an answer that is sent to a worker at once. */
export function toPassed(reply: Reply): PassedReply {
  const { status, phrase, contentType, body, close, method, failed, called, headers } = reply;
  return {
    ...{ status, phrase, contentType, close, method, called, headers },
    failed: failed === true,
    chunks: body.chunks,
    length: body.length,
    hasRest: body.rest !== undefined,
  };
}

/** Returns the answer that a worker sends to its client. `rest` makes the rest of a long one. */
export function fromPassed(
  passed: PassedReply,
  rest: () => AsyncGenerator<readonly Uint8Array[], void>,
): Reply {
  const { status, phrase, contentType, close, method, failed, called, headers } = passed;
  const { chunks, length, hasRest } = passed;
  return {
    ...{ status, phrase, contentType, close, method, headers },
    ...(failed && { failed }),
    ...(called !== undefined && { called }),
    body: { chunks, length, ...(hasRest && { rest: rest() }) },
  };
}
