import { recordedServer } from '../testing/recorded-server.ts';

test('a node tells its owner who has come in, and from where it was reached', async () => {
  const node = await recordedServer();
  expect(await node.rpc('get_reachability')).toMatchObject({
    result: {
      mapping: { external_host: '192.0.2.1', protocol: 'upnp', state: 'mapped' },
      addresses: [{ address: '192.0.2.1:18080', hosts: 3 }],
      networks: [
        { connected: 0, first: 1_600_000_000, last: 1_700_000_000, network: 'public' },
        { connected: 0, network: 'tor' },
      ],
      port: 18080,
      status: 'OK',
    },
  });
  expect(await node.rpc('get_reachability', {}, true)).toMatchObject({ error: { code: -32601 } });
  await node.stop();
});
