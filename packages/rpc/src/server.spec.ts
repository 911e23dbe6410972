import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { RpcOptionsError } from './errors.ts';
import type { RpcOptions } from './options.ts';
import { RpcServer } from './server.ts';
import { recordedServer, type RecordedServer } from './testing/recorded-server.ts';
import { Talk } from './testing/talk.ts';

const make = (options: Partial<RpcOptions>): RpcServer =>
  new RpcServer({ bindPort: 0, ...options }, { blockchain: { treeRoots: {} } as never });

/** Takes a port so that nobody else can have it. */
async function occupy(host: string, port = 0): Promise<Server> {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1');

(hasIpv6 ? describe : describe.skip)('IPv6', () => {
  let node: RecordedServer | undefined;
  afterEach(async () => {
    await node?.stop();
    node = undefined;
  });

  const height = async (port: number, host: string): Promise<string> => {
    const talk = await Talk.open(port, host);
    const { body } = await talk.ask('GET /get_info HTTP/1.1\r\nHost: x\r\n\r\n');
    talk.close();
    return /"rpc_connections_count": \d+/.exec(body)?.[0] ?? body;
  };

  test('both ports are served over both, and connections counted together', async () => {
    node = await recordedServer({ useIpv6: true });
    const open = await Talk.open(node.port, '::1');
    expect(await height(node.port, '127.0.0.1')).toBe('"rpc_connections_count": 2');
    open.close();
    expect(await height(node.restrictedPort, '::1')).toBe('"rpc_connections_count": 0');
  });

  test('not without being asked for', async () => {
    node = await recordedServer();
    await expect(Talk.open(node.port, '::1')).rejects.toThrow('ECONNREFUSED');
  });

  test('listens on IPv4 alone when IPv6 cannot be bound', async () => {
    const other = await occupy('::1');
    const server = make({ bindPort: portOf(other), useIpv6: true });
    await server.start();
    expect(server.ports.main).toBe(portOf(other));
    await server.stop();
    other.close();
  });

  test('listens on IPv6 alone only with ignoreIpv4', async () => {
    const other = await occupy('127.0.0.1');
    const bindPort = portOf(other);
    await expect(make({ bindPort, useIpv6: true }).start()).rejects.toThrow('EADDRINUSE');
    const server = make({ bindPort, useIpv6: true, ignoreIpv4: true });
    await server.start();
    expect(server.ports.main).toBe(bindPort);
    await server.stop();
    await expect(make({ bindPort, ignoreIpv4: true }).start()).rejects.toThrow(RpcOptionsError);
    const both = await occupy('::1', bindPort);
    const neither = make({ bindPort, useIpv6: true, ignoreIpv4: true });
    await expect(neither.start()).rejects.toThrow('EADDRINUSE');
    both.close();
    other.close();
  });

  test('an external address needs a confirmation, a restricted one does not', () => {
    expect(() => make({ bindIpv6Address: '::' })).toThrow('--rpc-bind-ipv6-address ::');
    expect(() => make({ bindIpv6Address: '::', confirmExternalBind: true })).not.toThrow();
    expect(() => make({ restrictedBindIpv6Address: '::' })).not.toThrow();
  });
});

test('an empty user name is refused', () => {
  expect(() => make({ login: { username: '', password: 'x' } })).toThrow(RpcOptionsError);
});
