import type { HandlerOf } from '../method.ts';
import { forkInfo } from '../blocks/fork-info.ts';

/** Returns the state of a hard fork; version 0 means the next fork. */
export const hardForkInfo: HandlerOf<'hardForkInfo'> = (request, context) =>
  forkInfo(request.version, context, context.yielder);
