import { RpcHttpError, type RpcTransport } from '@monero-node/rpc-client';
import type { RpcServices } from '../context.ts';
import { METHODS } from '../methods/index.ts';
import type { CallScheduler } from '../scheduling/call-scheduler.ts';
import type { Caller } from '../scheduling/time-shares.ts';
import { callContext, LOCAL_CALL } from './call-context.ts';
import { dispatch } from './dispatch.ts';
import { routesOf } from './routes.ts';
import { bodyBytes } from './write-answer.ts';

/**
 * Returns a transport that calls the methods of this process for a caller, unrestricted and without a network. Throws
 * RpcHttpError, in its calls, for an HTTP status other than 200.
 */
export function createLocalTransport(
  services: RpcServices,
  scheduler: CallScheduler,
  caller: Caller,
): RpcTransport {
  const routes = routesOf(METHODS, services, false);
  return {
    post: async (path, _contentType, body) => {
      const reply = await scheduler.run({ caller }, (yielder) => {
        const context = callContext(services, { ...LOCAL_CALL, yielder });
        return dispatch(path, body, routes, context);
      });
      if (reply.status !== 200) throw new RpcHttpError(path, reply.status);
      return await bodyBytes(reply.body);
    },
    close: () => undefined,
  };
}
