import { AskMainError } from '../errors.ts';
import { answerCall, type CallOrigin } from './answer-call.ts';
import type { AppParts } from './app-parts.ts';
import type { ClientEnd, FarRequest } from './far-calls.ts';
import type { Reply } from './reply.ts';

/**
 * Answers a call in a worker, or has the main process answer it whole. The call has given back its time and its place when it
 * is passed on: those of the main process count then.
 */
export async function answerOrPass(
  parts: AppParts,
  origin: CallOrigin,
  request: FarRequest,
  client: ClientEnd,
): Promise<Reply> {
  const { main } = parts;
  if (main?.takesAll === true) return main.pass(request, client);
  try {
    return await answerCall(parts, origin, request.url, request.body);
  } catch (error) {
    if (!(error instanceof AskMainError) || main === undefined) throw error;
    return main.pass(request, client);
  }
}
