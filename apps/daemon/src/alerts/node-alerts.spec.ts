import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guardServer } from '@monero-node/base';
import { until } from '@monero-node/base/testing';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SECRET = '0123456789abcdef';
/** The address of a wallet of a test network. */
const ADDRESS =
  '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

let dir: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'node-alerts-'));
});
afterEach(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(dir, { recursive: true });
});

/** Starts the program as built; resolves with the port of its RPC. */
async function start(options: readonly string[]): Promise<number> {
  child = spawn(
    process.execPath,
    [
      ...[PROGRAM, '--data-dir', dir, '--regtest', '--offline', '--no-zmq', '--non-interactive'],
      ...['--rpc-page', 'none', '--rpc-ssl', 'disabled', '--rpc-bind-port', '0', ...options],
    ],
    { env: { ...process.env, NODE_OPTIONS: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => /RPC: 127\.0\.0\.1:\d+/.test(output), 60_000);
  return Number(/RPC: 127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
}

test('a node tells a webhook and a program of the block that it has found', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = guardServer(
    createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const secret = join(dir, 'secret');
    writeFileSync(secret, SECRET, { mode: 0o600 });
    const program = join(dir, 'program');
    writeFileSync(program, `#!/bin/sh\nprintf '%s' "$2" > ${join(dir, 'told-')}$1\n`, {
      mode: 0o755,
    });
    const rpc = await start([
      ...['--alert-webhook', `http://127.0.0.1:${port}/hook`, '--alert-secret-file', secret],
      ...['--alert-command', `${program} %k %s`],
    ]);
    await fetch(`http://127.0.0.1:${rpc}/json_rpc`, {
      method: 'POST',
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 0,
        method: 'generateblocks',
        params: { amount_of_blocks: 1, wallet_address: ADDRESS },
      }),
    });
    await until(() => received.length > 0, 60_000);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(JSON.parse(body)).toMatchObject({
      kind: 'block-found',
      state: 'once',
      message: 'Block 1 found by generateblocks',
      data: { height: 1, finder: 'generateblocks' },
      network: 'regtest',
    });
    expect(headers['x-monero-node-signature']).toBe(
      `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    );
    const told = join(dir, 'told-block-found');
    await until(() => existsSync(told) && readFileSync(told, 'utf8') !== '', 60_000);
    expect(readFileSync(told, 'utf8')).toBe('Block 1 found by generateblocks');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}, 120_000);
