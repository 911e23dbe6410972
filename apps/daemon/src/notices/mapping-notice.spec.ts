import { silentLogger } from '@monero-node/base';
import type { PortMappingState } from '@monero-node/p2p';
import { MappingNotice } from './mapping-notice.ts';

test('the state of the mapping is said once, when it changes', () => {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  let mapping: PortMappingState | undefined;
  const p2p = {
    reachability: () => ({
      closedBy: undefined,
      port: 18080,
      networks: [],
      ownAddresses: [],
      mapping,
    }),
  };
  const notice = new MappingNotice(p2p, { ...silentLogger, info: say, warn: say });
  const pass = (state: PortMappingState | undefined): void => {
    mapping = state;
    for (let i = 0; i < 3; i++) notice.check();
  };
  pass(undefined);
  pass({ kind: 'trying' });
  expect(said).toEqual([]);
  pass({ kind: 'failed', why: 'upnp: no router of the local network answers' });
  pass({ kind: 'failed', why: 'another reason' });
  pass({ kind: 'mapped', protocol: 'upnp', externalHost: '203.0.113.7' });
  pass({ kind: 'failed', why: 'upnp: it failed' });
  pass({ kind: 'mapped', protocol: 'nat-pmp', externalHost: undefined });
  const advice =
    'Turn port mapping on in the router, or forward the port there yourself and leave the option out. It is tried again every ten minutes.';
  const failed = '--port-mapping: no router forwards TCP port 18080 to this machine';
  expect(said).toEqual([
    `${failed} (upnp: no router of the local network answers). ${advice}`,
    'The router at 203.0.113.7 forwards TCP port 18080 to this machine (upnp).',
    `${failed} (upnp: it failed). ${advice}`,
    'The router forwards TCP port 18080 to this machine (nat-pmp).',
  ]);
});
