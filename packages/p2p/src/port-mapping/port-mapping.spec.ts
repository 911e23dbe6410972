import { silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { DEFAULT_P2P_OPTIONS, type P2pOptions } from '../options/options.ts';
import type { PortPair, PortProtocol } from './gateway.ts';
import { PortMapping } from './port-mapping.ts';

function mapping(options: Partial<P2pOptions>) {
  const asked: PortPair[] = [];
  const protocol: PortProtocol = {
    name: 'upnp',
    map: (ports) => {
      asked.push(ports);
      return Promise.resolve({ externalHost: undefined, seconds: 0 });
    },
    unmap: () => Promise.resolve(),
  };
  const it = new PortMapping(
    { ...DEFAULT_P2P_OPTIONS, bindPort: 0, ...options },
    {
      network: { name: 'mainnet' },
      listeners: { port: 18_081 },
      logger: silentLogger,
      protocols: [protocol],
    },
  );
  return { it, asked };
}

test('the router is asked for the port that peers are told', async () => {
  const { it, asked } = mapping({ portMapping: 'upnp', externalPort: 18_080 });
  await it.start();
  await until(() => it.state?.kind === 'mapped');
  expect(asked).toEqual([{ external: 18_080, internal: 18_081 }]);
  await it.stop();
  const same = mapping({ portMapping: 'upnp' });
  await same.it.start();
  expect(same.asked).toEqual([{ external: 18_081, internal: 18_081 }]);
  await same.it.stop();
});

test.each([{}, { portMapping: 'auto', hideMyPort: true }, { portMapping: 'auto', inPeers: 0 }])(
  'with %j it is not asked',
  async (options) => {
    const { it, asked } = mapping(options as Partial<P2pOptions>);
    await it.start();
    expect(it.state).toBeUndefined();
    expect(asked).toEqual([]);
    await it.stop();
  },
);
