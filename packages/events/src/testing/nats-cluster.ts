import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { guardServer } from '@monero-node/base';
import { NatsServer } from './nats-server.ts';

/** Resolves to a port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = guardServer(createServer(), () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts three servers of one cluster.
 *
 * @param more configuration that all have besides
 */
export async function startCluster(more = ''): Promise<NatsServer[]> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const servers = ports.map(() => new NatsServer());
  await Promise.all(
    servers.map((server, i) =>
      server.run(
        server.withJetStream(
          `server_name: "s${i}"\ncluster { name: test, listen: "127.0.0.1:${ports[i]}", routes: [${routes}] }\n${more}`,
        ),
      ),
    ),
  );
  return servers;
}
