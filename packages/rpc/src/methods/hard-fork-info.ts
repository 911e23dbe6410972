import type { HandlerOf } from '../method.ts';
import { forkInfo } from '../blocks/fork-info.ts';

export const hardForkInfo: HandlerOf<'hardForkInfo'> = (request, context) =>
  forkInfo(request.version, context, context.yielder);
