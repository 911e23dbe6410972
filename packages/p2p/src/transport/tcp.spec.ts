import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { ipAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { MemoryNetwork } from '../testing/memory-network.ts';
import { describeTransport } from '../testing/transport-compliance.ts';
import { createTcpTransport } from './tcp.ts';

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describeTransport('TCP', async () => ({
  server: createTcpTransport(),
  client: createTcpTransport(),
  host: '127.0.0.1',
  nobody: ipAddress('127.0.0.1', await freePort()) as NetAddress,
}));

describeTransport('in memory, for tests', async () => {
  const network = new MemoryNetwork();
  return {
    server: network.machine('9.0.0.1'),
    client: network.machine('9.0.0.2'),
    host: '9.0.0.1',
    nobody: ipAddress('9.0.0.3', 1) as NetAddress,
    blackHole: ipAddress('203.0.113.1', 1) as NetAddress,
  };
});

test('TCP cannot reach hidden services', async () => {
  const onion: NetAddress = { kind: 'tor', host: `${'a'.repeat(56)}.onion`, port: 1 };
  await expect(createTcpTransport().connect(onion, { timeoutMs: 100 })).rejects.toThrow(/TCP/);
});

test('reports the IPv4 of a peer on an IPv6 socket', async () => {
  const transport = createTcpTransport();
  const accepted: NetAddress[] = [];
  const listener = await transport
    .listen({ host: '::', port: 0 }, (stream) => {
      accepted.push(stream.remote);
      stream.destroy();
    })
    .catch(() => undefined);
  if (!listener) return; // a machine without IPv6
  const address = ipAddress('127.0.0.1', listener.port) as NetAddress;
  const stream = await transport.connect(address, { timeoutMs: 1000 });
  await new Promise<void>((resolve) =>
    stream.open({ onData: () => {}, onDrain: () => {}, onClose: resolve }),
  );
  await listener.close();
  expect(accepted[0]).toMatchObject({ kind: 'ipv4', host: '127.0.0.1' });
});
