import type { HandlerOf } from '../method.ts';

export const stopDaemon: HandlerOf<'stopDaemon'> = (_request, { node }) => {
  node.requestStop();
  return {};
};
