import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** TCP ports of the loopback interface that nobody listened on a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer();
          server.once('error', reject);
          server.listen(0, LOOPBACK, () => resolve(server));
        }),
    ),
  );
  return Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          const address = server.address();
          const port = typeof address === 'object' && address !== null ? address.port : 0;
          server.close(() => resolve(port));
        }),
    ),
  );
}
