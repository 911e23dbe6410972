import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { discoverGateways, locationIn } from './discover.ts';

const answer = (location: string): string =>
  ['HTTP/1.1 200 OK', 'CACHE-CONTROL: max-age=120', `Location: ${location}`, '', ''].join('\r\n');

test('a router names its description', () => {
  const url = locationIn(answer('http://192.168.1.1:5000/root.xml'), '192.168.1.1');
  expect(url?.href).toBe('http://192.168.1.1:5000/root.xml');
});

test.each([
  ['another host', answer('http://198.51.100.1/root.xml'), '192.168.1.1'],
  ['a name', answer('http://router.example/root.xml'), '192.168.1.1'],
  ['a host far away', answer('http://198.51.100.1/root.xml'), '198.51.100.1'],
  ['another protocol', answer('file:///etc/passwd'), '192.168.1.1'],
  ['TLS', answer('https://192.168.1.1/root.xml'), '192.168.1.1'],
  ['a long address', answer(`http://192.168.1.1/${'x'.repeat(600)}`), '192.168.1.1'],
  ['no address', 'HTTP/1.1 200 OK\r\n\r\n', '192.168.1.1'],
  ['a search of another machine', 'M-SEARCH * HTTP/1.1\r\n\r\n', '192.168.1.1'],
  ['nothing', '', '192.168.1.1'],
])('%s is not followed', (_case, text, from) => {
  expect(locationIn(text, from)).toBeUndefined();
});

test('the first router that answers is taken', async () => {
  const device = createSocket('udp4');
  device.bind(0, '127.0.0.1');
  await once(device, 'listening');
  const searches: string[] = [];
  device.on('message', (search, { port, address }) => {
    searches.push(search.toString());
    for (const text of ['', answer('http://198.51.100.1/'), answer('http://127.0.0.1:9/root.xml')])
      device.send(text, port, address);
  });
  const at = { host: '127.0.0.1', port: device.address().port };
  const found = await discoverGateways(new AbortController().signal, at);
  expect(found.map(String)).toEqual(['http://127.0.0.1:9/root.xml']);
  expect(searches[0]).toContain('ST: urn:schemas-upnp-org:device:InternetGatewayDevice:1\r\n');
  device.close();
});

test('nobody there is an end, and so is a flood of nonsense', async () => {
  const device = createSocket('udp4');
  device.bind(0, '127.0.0.1');
  await once(device, 'listening');
  const at = { host: '127.0.0.1', port: device.address().port };
  const { signal } = new AbortController();
  expect(await discoverGateways(signal, at, 50)).toEqual([]);
  device.on('message', (_, { port, address }) => {
    for (let i = 0; i < 100; i++) device.send('nonsense', port, address);
  });
  expect(await discoverGateways(signal, at, 600_000)).toEqual([]);
  device.close();
});
