import type { Yielder } from '@monero-node/base';
import { RpcHttpError, type RpcTransport } from '@monero-node/rpc-client';
import { performance } from 'node:perf_hooks';
import type { RpcContext, RpcServices } from '../context.ts';
import type { OnCall } from '../finished-call.ts';
import { METHODS } from '../methods/index.ts';
import type { CallScheduler } from '../scheduling/call-scheduler.ts';
import type { Caller } from '../scheduling/time-shares.ts';
import { factsOf } from './call-record.ts';
import { dispatch } from './answers/dispatch.ts';
import { routesOf } from './answers/routes.ts';
import { bodyBytes } from './answers/write-answer.ts';

export interface LocalCalls {
  readonly scheduler: CallScheduler;
  readonly caller: Caller;
  /** Takes notice of each call that has ended. */
  readonly onCall: OnCall | undefined;
}

/** Returns the context of a call that came through no port. */
export function localContext(services: RpcServices, yielder: Yielder): RpcContext {
  return {
    services,
    restricted: false,
    untrusted: false,
    rpcConnections: 0,
    yielder,
    resting: (work) => work,
    holds: () => undefined,
    client: undefined,
    fromForeignPage: false,
    hostFailed: () => undefined,
  };
}

/**
 * Returns a transport that calls the methods of this process for a caller, unrestricted and without a network. Throws
 * RpcHttpError, in its calls, for an HTTP status other than 200.
 */
export function createLocalTransport(
  services: RpcServices,
  { scheduler, caller, onCall }: LocalCalls,
): RpcTransport {
  const routes = routesOf(METHODS, services, false);
  return {
    post: async (path, _contentType, body) => {
      const began = performance.now();
      const reply = await scheduler.run({ caller }, (yielder) => {
        return dispatch(path, body, routes, localContext(services, yielder));
      });
      const answered = performance.now();
      const answer = await bodyBytes(reply.body);
      onCall?.({
        interface: 'local',
        address: undefined,
        isSent: true,
        ...factsOf(path, reply, routes),
        secondsToAnswer: (answered - began) / 1000,
        seconds: (performance.now() - began) / 1000,
        bytes: answer.length,
      });
      if (reply.status !== 200) throw new RpcHttpError(path, reply.status);
      return answer;
    },
    close: () => undefined,
  };
}
