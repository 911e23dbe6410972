import { callerOver, type RpcCaller } from '../client/caller.ts';
import type { RpcServices } from '../context.ts';
import { METHODS } from '../methods/index.ts';
import type { Turns } from '../turns.ts';
import { dispatch } from './dispatch.ts';
import { routesOf } from './routes.ts';
import { bodyBytes } from './write-answer.ts';

/** Calls methods of this very process, unrestricted and without a network in between. */
export function localCaller(services: RpcServices, turns: Turns): RpcCaller {
  const routes = routesOf(METHODS, services, false);
  return callerOver(async (path, body) => {
    const reply = await dispatch(path, body, routes, {
      ...services,
      restricted: false,
      untrusted: false,
      rpcConnections: 0,
      turn: turns.begin(),
      hostFailed: () => undefined,
    });
    return { status: reply.status, body: bodyBytes(reply.body) };
  });
}
