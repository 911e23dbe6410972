import { RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** A proxy is refused: going without one would not be what was asked for. */
export const setBootstrapDaemon = defineMethod({
  paths: ['/set_bootstrap_daemon'],
  summary: 'Sets another daemon that answers while this one is far behind it, or none.',
  restricted: 'hidden',
  base: 'status',
  request: { address: f.text(), password: f.text(), proxy: f.text(), username: f.text() },
  response: {},
  handler: ({ address, username, password, proxy }, { bootstrap }) => {
    const login = username === '' && password === '' ? undefined : { username, password };
    if (proxy !== '' || !bootstrap.set(address, login)) {
      throw new RpcStatus('Failed to set bootstrap daemon');
    }
    return {};
  },
});
