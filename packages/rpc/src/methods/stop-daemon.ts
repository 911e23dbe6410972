import type { HandlerOf } from '../method.ts';

/** Begins an orderly shutdown and returns at once. */
export const stopDaemon: HandlerOf<'stopDaemon'> = (_request, { node }) => {
  node.requestStop();
  return {};
};
