import type { HandlerOf } from '../method.ts';
import { parseSocksEndpoint } from '@monero-node/p2p/socks';
import { RpcStatus } from '../errors.ts';

/**
 * Sets or removes the bootstrap daemon. Without `proxy` it is called directly, unless the node has a proxy for all
 * connections. Throws RpcStatus for an address or proxy that is malformed.
 */
export const setBootstrapDaemon: HandlerOf<'setBootstrapDaemon'> = (
  { address, username, password, proxy },
  { bootstrap },
) => {
  const login = username === '' && password === '' ? undefined : { username, password };
  const endpoint = proxy === '' ? undefined : parseSocksEndpoint(proxy);
  const isProxy = proxy === '' || endpoint !== undefined;
  if (!isProxy || !bootstrap.set(address, { login, proxy: endpoint })) {
    throw new RpcStatus('Failed to set bootstrap daemon');
  }
  return {};
};
