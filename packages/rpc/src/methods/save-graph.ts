import { defineMethod } from '../method.ts';

/** Obsolete, without effect; kept because clients may still call it. */
export const saveGraph = defineMethod({
  paths: ['/start_save_graph', '/stop_save_graph'],
  summary: 'Obsolete, without effect.',
  restricted: 'served',
  base: 'basic',
  request: {},
  response: {},
  handler: () => ({}),
});
