import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const PLAIN = ['--no-zmq', '--rpc-page', 'none', '--rpc-ssl', 'disabled', '--non-interactive'];
/** What a node without optional parts needs, and what those load. */
const NEEDED = [
  ...['@noble/curves', '@noble/hashes', 'lmdb', 'lru-cache', 'msgpackr', 'ordered-binary'],
  ...['p-limit', 'sonic-boom', 'weak-lru-cache', 'yocto-queue'],
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
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    output += chunk.toString();
    if (output.includes('RPC on')) break;
  }
  child.stdout.resume();
  child.kill('SIGTERM');
  await ended;
  return readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
}

/** Returns the names of the packages from the registry, sorted. */
function packagesOf(scripts: readonly string[]): string[] {
  const names = scripts.flatMap((url) => {
    const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    return name === undefined || name.startsWith('@monero-node/') ? [] : [name];
  });
  return [...new Set(names)].sort();
}

const OPTIONAL = [
  /\/daemon\/dist\/(metrics|page|console\/commands)\//,
  /\/(dashboard|rpc)\/dist\/(files|zmq|zmtp|tls\/self-signed)/,
  /\/p2p\/dist\/libp2p\/(host|parse)/,
];

test('a node loads only what its options need', async () => {
  const scripts = await scriptsLoaded(...PLAIN);
  expect(packagesOf(scripts)).toEqual(NEEDED);
  for (const optional of OPTIONAL)
    expect(scripts.filter((url) => optional.test(url))).toEqual([]);
});

test('options load what they need', async () => {
  const scripts = await scriptsLoaded(
    ...['--metrics-bind-port', '1', '--zmq-rpc-bind-port', '0', '--rpc-ssl', 'disabled'],
  );
  expect(packagesOf(scripts)).toEqual(expect.arrayContaining(['prom-client']));
  for (const part of ['metrics/metrics', 'page/node-page', 'zmq/server', 'console/console'])
    expect(scripts.some((url) => url.endsWith(`/${part}.js`))).toBe(true);
});
