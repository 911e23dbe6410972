import { plainAddress } from '../gateway/addresses.ts';
import { shownRequest, type FinishedCall } from '../finished-call.ts';
import type { EndOfRequest } from '../zmtp/reply-socket.ts';
import type { ZmqAnswer } from './endpoint.ts';

/** Returns a ZeroMQ call that has ended; without an answer when the client left before its turn. */
export function finishedCall(answer: ZmqAnswer | undefined, end: EndOfRequest): FinishedCall {
  return {
    ...end,
    interface: 'zmq',
    address: end.address === undefined ? undefined : plainAddress(end.address),
    request: shownRequest(answer?.called ?? ''),
    method: answer?.method ?? 'unknown',
    status: answer === undefined ? 'aborted' : answer.failed ? 'error' : 'ok',
  };
}
