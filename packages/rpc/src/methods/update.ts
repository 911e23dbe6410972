import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** There is nowhere to look for updates of this node, so an answer is never OK. */
export const update = defineMethod({
  paths: ['/update'],
  summary: 'Answers that updates of this node can not be looked for.',
  restricted: 'hidden',
  base: 'basic',
  request: { command: f.text(), path: f.text() },
  response: {
    auto_uri: f.text(),
    hash: f.text(),
    path: f.text(),
    update: f.bool(),
    user_uri: f.text(),
    version: f.text(),
  },
  handler: ({ command }, { node }) => {
    if (node.offline) throw new RpcStatus('Daemon is running offline');
    switch (command) {
      case 'check':
      case 'download':
        throw new RpcStatus('Error checking for updates');
      case 'update':
        // monerod cannot either; these are its words. Source: on_update in src/rpc/core_rpc_server.cpp.
        throw new RpcStatus("'update' not implemented yet");
      default:
        throw new RpcStatus(`unknown command: '${command}'`);
    }
  },
});
