import type { FairScheduler } from '@monero-node/base';
import { RpcHttpError, type RpcTransport } from '@monero-node/rpc-client';
import type { RpcServices } from '../context.ts';
import { METHODS } from '../methods/index.ts';
import { callContext } from './call-context.ts';
import { dispatch } from './dispatch.ts';
import { routesOf } from './routes.ts';
import { bodyBytes } from './write-answer.ts';

/**
 * Returns a transport that calls the methods of this process, unrestricted and without a network. Throws RpcHttpError,
 * in its calls, for an HTTP status other than 200.
 */
export function createLocalTransport(
  services: RpcServices,
  scheduler: FairScheduler,
): RpcTransport {
  const routes = routesOf(METHODS, services, false);
  return {
    post: async (path, _contentType, body) => {
      const context = callContext(services, {
        restricted: false,
        untrusted: false,
        rpcConnections: 0,
        yielder: scheduler.begin(),
        hostFailed: () => undefined,
      });
      const reply = await dispatch(path, body, routes, context);
      if (reply.status !== 200) throw new RpcHttpError(path, reply.status);
      return await bodyBytes(reply.body);
    },
    close: () => undefined,
  };
}
