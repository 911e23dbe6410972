import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/**
 * Each worker of the test runner has its own range, below the ports of outgoing connections, so that a free port
 * stays free until a program listens on it.
 */
const FIRST_PORT = 12_000;
const PORTS_PER_WORKER = 4_000;
const WORKERS = 5;

function randomPort(): number {
  const worker = (Number(process.env['JEST_WORKER_ID'] ?? 1) - 1) % WORKERS;
  return FIRST_PORT + worker * PORTS_PER_WORKER + Math.floor(Math.random() * PORTS_PER_WORKER);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}

/** Ports that were returned: the programs that they are for may not listen yet. */
const returned = new Set<number>();

/** Returns TCP ports of the loopback interface on which no program listens, none of them twice in a suite. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomPort();
    if (returned.has(port)) continue;
    // Before the wait, so that a call at the same time does not choose it too.
    returned.add(port);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}
