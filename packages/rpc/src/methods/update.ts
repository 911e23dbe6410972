import type { HandlerOf } from '../method.ts';
import { RpcStatus } from '../errors.ts';

/** Throws RpcStatus whatever the command: there is nowhere to look for updates of this node. */
export const update: HandlerOf<'update'> = ({ command }, { node }) => {
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
};
