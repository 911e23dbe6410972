import { defineMethod } from '../method.ts';

export const stopDaemon = defineMethod({
  paths: ['/stop_daemon'],
  summary: 'Stops the daemon.',
  restricted: 'hidden',
  base: 'basic',
  request: {},
  response: {},
  handler: (_request, { node }) => {
    node.requestStop();
    return {};
  },
});
