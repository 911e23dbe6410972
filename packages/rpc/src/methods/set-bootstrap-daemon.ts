import { parseSocksEndpoint } from '@monero-node/p2p/socks';
import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** Without `proxy` the other daemon is called directly, unless the node has a proxy for everything. */
export const setBootstrapDaemon = defineMethod({
  paths: ['/set_bootstrap_daemon'],
  summary: 'Sets another daemon that answers while this one is far behind it, or none.',
  restricted: 'hidden',
  base: 'status',
  request: { address: f.text(), password: f.text(), proxy: f.text(), username: f.text() },
  response: {},
  handler: ({ address, username, password, proxy }, { bootstrap }) => {
    const login = username === '' && password === '' ? undefined : { username, password };
    const endpoint = proxy === '' ? undefined : parseSocksEndpoint(proxy);
    const isProxy = proxy === '' || endpoint !== undefined;
    if (!isProxy || !bootstrap.set(address, { login, proxy: endpoint })) {
      throw new RpcStatus('Failed to set bootstrap daemon');
    }
    return {};
  },
});
