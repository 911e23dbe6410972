import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArguments } from '../cli/parse-arguments.ts';
import {
  complaints,
  examineWith,
  GOOD_MACHINE,
  GOOD_NODE,
  nodeWith,
  NOW,
} from '../testing/patient.ts';
import type { Finding } from './finding.ts';
import { runDoctor } from './run-doctor.ts';
import { thisMachine } from './surroundings.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'healthy-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const dataDir = (): string[] => ['--data-dir', join(dir, 'data')];

describe('nothing is wrong with', () => {
  test('a node that has yet to be started', async () => {
    expect(complaints(await examineWith(dataDir(), {}))).toEqual([]);
  });

  test('a node in its first synchronization', async () => {
    const node = nodeWith(
      { height: 1_000_000, isSynchronized: false, topTime: NOW - 3e8, databaseBytes: 9e9 },
      { startTime: NOW - 3600, incoming: 0, freeBytes: 300e9 },
    );
    expect(complaints(await examineWith(dataDir(), { node }))).toEqual([]);
  });

  test('a public node with a restricted port and IPv6', async () => {
    const options = [
      ...['--rpc-restricted-bind-ip', '0.0.0.0', '--rpc-restricted-bind-port', '18089'],
      ...['--confirm-external-bind', '--rpc-ssl', 'enabled', '--public-node', '--p2p-use-ipv6'],
    ];
    const system = { addresses: () => ['203.0.113.1', '2001:db8::1'].map(real) };
    expect(
      complaints(await examineWith([...dataDir(), ...options], { node: GOOD_NODE, system })),
    ).toEqual([]);
  });

  test('a node in a private network whose owner has a login', async () => {
    const login = join(dir, 'login');
    writeFileSync(login, 'user:password\n', { mode: 0o600 });
    const options = [
      ...['--rpc-bind-ip', '0.0.0.0', '--confirm-external-bind', '--rpc-ssl', 'enabled'],
      ...['--rpc-login-file', login],
    ];
    expect(complaints(await examineWith([...dataDir(), ...options], { node: GOOD_NODE }))).toEqual(
      [],
    );
  });

  test('a node behind Tor and I2P', async () => {
    const options = [
      ...['--proxy', '127.0.0.1:9050', '--tx-proxy', 'tor,127.0.0.1:9050,10'],
      ...['--tx-proxy', 'i2p,127.0.0.1:4447,10'],
    ];
    const node = nodeWith({}, { incoming: 0 });
    const system = { lookUp: () => Promise.reject(new Error('no name is to be looked up')) };
    expect(complaints(await examineWith([...dataDir(), ...options], { node, system }))).toEqual([]);
  });

  test('a pruned node that mines, looks for updates and hides its port', async () => {
    const address =
      '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
    const options = [
      ...['--prune-blockchain', '--start-mining', address, '--mining-threads', '2'],
      ...['--check-updates', 'notify', '--hide-my-port'],
    ];
    const node = nodeWith({ databaseBytes: 110e9 }, { incoming: 0, freeBytes: 30e9 });
    expect(complaints(await examineWith([...dataDir(), ...options], { node }))).toEqual([]);
  });

  test('a node that runs, on the machine of this test', async () => {
    const port = await freePort();
    const options = [
      '--regtest',
      '--offline',
      '--no-zmq',
      '--rpc-ssl',
      'disabled',
      ...dataDir(),
      '--rpc-bind-port',
      String(port),
    ];
    const node = spawn(
      process.execPath,
      [PROGRAM, ...options, '--non-interactive', '--rpc-page', 'none'],
      { env: { ...process.env, NODE_OPTIONS: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(node, 'close');
    try {
      const started = new Promise<void>((resolve) => {
        // The last line of the start.
        node.stdout.on('data', (chunk) => String(chunk).includes('RPC: ') && resolve());
      });
      await Promise.race([started, ended]);
      const printed: string[] = [];
      // Whatever else runs here.
      const { memory } = GOOD_MACHINE;
      const system = { ...thisMachine(), memory };
      const { values } = parseArguments([...options, '--json']);
      const status = await runDoctor([], values, (text) => printed.push(text), system);
      const { checks } = JSON.parse(printed.join('')) as { checks: Finding[] };
      expect(complaints(checks)).toEqual([]);
      expect(status).toBe(0);
      expect(checks).toContainEqual({
        id: 'node',
        verdict: 'ok',
        seen: expect.stringMatching(/^version \S+ runs at height 1,/),
        advice: null,
      });
      expect(checks).toContainEqual(
        expect.objectContaining({ id: 'ports', seen: `the node listens on 127.0.0.1:${port}` }),
      );
    } finally {
      node.kill('SIGTERM');
      await ended;
    }
  });
});

/** Addresses for documentation are no public ones. */
const real = (address: string): string => address.replace('2001:db8:', '2a01:4f8:');

/** Returns a port of loopback at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
