import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** No optional part. */
const PLAIN = ['--no-zmq', '--rpc-page', 'none', '--rpc-ssl', 'disabled', '--non-interactive'];
/** Packages from the registry that only some options need, and code of ours. */
const OPTIONAL = [
  /\/node_modules\/(prom-client|socks|ip-address|dns-packet|semver|ssri)\//,
  /\/node_modules\/(libp2p|ws|multiformats|uint8arrays|@(libp2p|multiformats)\/[^/]+)\//,
  /\/node_modules\/(reflect-metadata|@peculiar\/[^/]+|preact|uplot)\//,
  /\/daemon\/dist\/(metrics|page|console\/(commands|editing))\//,
  /\/(dashboard|rpc)\/dist\/(files|zmq|zmtp)\//,
  /\/p2p\/dist\/libp2p\/(host|parse-multiaddress|known-peers)/,
];

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loaded-modules-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs the program as built until its RPC listens. Returns the paths of all scripts that V8 has loaded. */
async function scriptsLoaded(...args: string[]): Promise<string[]> {
  const coverage = join(dir, 'coverage');
  const child = spawn(
    process.execPath,
    [
      ...[PROGRAM, '--regtest', '--offline', '--data-dir', join(dir, 'data')],
      ...['--rpc-bind-port', '0', '--p2p-bind-port', '0', '--check-updates', 'disabled'],
      ...['--disable-dns-checkpoints', ...args],
    ],
    {
      // V8 lists the scripts of a process, modules of both kinds, where their use is to be measured.
      env: { ...process.env, NODE_OPTIONS: '', NODE_V8_COVERAGE: coverage },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    // The last line of the start.
    if (output.includes('RPC: ')) child.kill('SIGTERM');
  });
  await ended;
  return readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
}

test('a node loads only what its options need', async () => {
  const scripts = await scriptsLoaded(...PLAIN);
  expect(scripts.length).toBeGreaterThan(300);
  for (const optional of OPTIONAL) expect(scripts.filter((url) => optional.test(url))).toEqual([]);
});

test('options load what they need', async () => {
  const scripts = await scriptsLoaded(
    ...['--metrics-bind-port', '0', '--zmq-rpc-bind-port', '0', '--rpc-ssl', 'disabled'],
    ...['--libp2p-listen', '/ip4/127.0.0.1/tcp/0'],
  );
  const parts = ['metrics/metrics', 'page/node-page', 'zmq/server', 'console/console'];
  for (const part of [...parts, 'libp2p/parse-multiaddress'])
    expect(scripts.filter((url) => url.endsWith(`/${part}.js`))).toHaveLength(1);
  expect(scripts.some((url) => url.includes('/node_modules/prom-client/'))).toBe(true);
});
