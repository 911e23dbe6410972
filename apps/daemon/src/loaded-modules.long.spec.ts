import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** No optional part. */
const PLAIN = ['--no-zmq', '--rpc-page', 'none', '--rpc-ssl', 'disabled', '--non-interactive'];
/** Packages from the registry that only some options need, and code of ours. */
const OPTIONAL = [
  /\/node_modules\/(prom-client|socks|ip-address|dns-packet|semver|ssri)\//,
  /\/node_modules\/(libp2p|ws|multiformats|uint8arrays|@(libp2p|multiformats)\/[^/]+)\//,
  /\/node_modules\/(reflect-metadata|@peculiar\/[^/]+|preact|uplot|@nats-io\/[^/]+)\//,
  /\/daemon\/dist\/(metrics|page|console\/(commands|editing))\//,
  /\/daemon\/dist\/alerts\/(webhook|post-alert)\./,
  /\/(dashboard|events)\/dist\//,
  /\/packages\/(zmq|stratum)\/dist\//,
  /\/p2p\/dist\/libp2p\/(host|parse-multiaddress|known-peers)/,
  /\/p2p\/dist\/port-mapping\/(port-mapper|nat-pmp|upnp)\./,
];
/** What only a chain with a curve tree needs: none of the public networks has one. */
const OF_TREES =
  /\/packages\/(curve-tree|fcmp)\/|\/blockchain\/dist\/(view\/tree\/(chain|view)-tree|verify\/tree-faults)\./;
/** What no node may load: it makes signatures and proofs for tests, in a time that tells their secrets. */
const NEVER = /\/insecure-(signer|prover)\/|\/packages\/devnet\//;
/** Modules that only a node needs: the engines, the store, the parts that talk to peers and clients, and their packages. */
const NODE_ONLY = [
  /\/node_modules\/(lmdb|express|sonic-boom)\//,
  /\/packages\/(blockchain|storage|pow|dashboard|events)\//,
  /\/packages\/(base|consensus|crypto|mempool|miner|node|p2p|rpc)\/dist\/index\.js$/,
  /\/packages\/crypto\/dist\/(native\/backend|wasm\/|reference\/|pool\/)/,
  /\/daemon\/dist\/(node|run-daemon)\.js$/,
  ...OPTIONAL.filter((each) => !each.source.includes('console')),
];
/** Where the table of options finds defaults of the RPC and of the peer-to-peer network, and what these files load. */
const DEFAULTS = [
  'p2p/dist/hosts/hosts.js',
  'p2p/dist/hosts/index.js',
  'p2p/dist/hosts/ip.js',
  'p2p/dist/hosts/subnets.js',
  'p2p/dist/options/adjustable-limits.js',
  'p2p/dist/options/options.js',
  'rpc/dist/errors.js',
  'rpc/dist/gateway/connections/connection.js',
  'rpc/dist/options.js',
  'rpc/dist/page/web-page.js',
];
/** The answer of a node to a call for its status. */
const INFO = { status: 'OK', height: 1217, nettype: 'fakechain', free_space: 50_000_000_000 };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loaded-modules-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/**
 * Runs the program as built until it ends, or prints `last` and is then told to stop. Returns what it printed and the URLs of
 * all scripts that V8 has loaded.
 */
async function runRecorded(
  args: readonly string[],
  last?: string,
): Promise<{ output: string; scripts: string[] }> {
  const coverage = join(dir, 'coverage');
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    // V8 lists the scripts of a process, modules of both kinds, where their use is to be measured.
    env: { ...process.env, NODE_OPTIONS: '', NODE_V8_COVERAGE: coverage },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (last !== undefined && output.includes(last)) child.kill('SIGTERM');
  });
  await ended;
  const scripts = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  return { output, scripts };
}

/** Runs a node until its RPC listens. Returns the URLs of its scripts. */
async function scriptsOfNode(...args: string[]): Promise<string[]> {
  const { scripts } = await runRecorded(
    [
      ...['--regtest', '--offline', '--data-dir', join(dir, 'data')],
      ...['--rpc-bind-port', '0', '--p2p-bind-port', '0', '--check-updates', 'disabled'],
      ...['--disable-dns-checkpoints', ...args],
    ],
    // The last line of the start.
    'RPC: ',
  );
  return scripts;
}

/** Returns the scripts that match any of the patterns. */
const among = (scripts: readonly string[], patterns: readonly RegExp[]): string[] =>
  scripts.filter((url) => patterns.some((each) => each.test(url)));

test('all code that no node may load is known', () => {
  const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
  const folders = readdirSync(packages).flatMap((name) => {
    const source = join(packages, name, 'src');
    const parts = existsSync(source) ? readdirSync(source) : [];
    return parts.filter((part) => part.startsWith('insecure-')).map((part) => join(source, part));
  });
  expect(folders.length).toBeGreaterThan(2);
  expect(folders.filter((folder) => !NEVER.test(`${folder}/index.js`))).toEqual([]);
});

test('a node loads only what its options need', async () => {
  const scripts = await scriptsOfNode(...PLAIN);
  expect(scripts.length).toBeGreaterThan(300);
  expect(among(scripts, [...OPTIONAL, OF_TREES, NEVER])).toEqual([]);
});

test('a node loads the curve tree, and the engine of proofs for it, where the network has version 17', async () => {
  const scripts = await scriptsOfNode(...PLAIN, '--regtest-forks', '16:1,17:40');
  const parts = ['curve-tree/dist/index', 'fcmp/dist/index', 'view/tree/chain-tree'];
  for (const part of parts)
    expect(scripts.filter((url) => url.endsWith(`/${part}.js`))).toHaveLength(1);
  expect(among(scripts, [...OPTIONAL, NEVER])).toEqual([]);
});

test('options load what they need', async () => {
  const scripts = await scriptsOfNode(
    ...['--metrics-bind-port', '0', '--zmq-rpc-bind-port', '0', '--rpc-ssl', 'disabled'],
    ...['--libp2p-listen', '/ip4/127.0.0.1/tcp/0'],
  );
  const parts = ['metrics/metrics', 'page/node-page', 'zmq/dist/server', 'console/console'];
  for (const part of [...parts, 'libp2p/parse-multiaddress'])
    expect(scripts.filter((url) => url.endsWith(`/${part}.js`))).toHaveLength(1);
  expect(among(scripts, [NEVER])).toEqual([]);
  expect(scripts.some((url) => url.includes('/node_modules/prom-client/'))).toBe(true);
});

test.each([
  ['--version', 'monero-node (v'],
  ['--help', 'Important options:'],
  ['--help-all', '--data-dir'],
])('%s loads the table of the options, and nothing of a node', async (option, text) => {
  const { output, scripts } = await runRecorded([option]);
  expect(output).toContain(text);
  expect(among(scripts, NODE_ONLY)).toEqual([]);
  const ofParts = among(scripts, [
    /\/packages\/(rpc|p2p|crypto)/,
    /\/node_modules\/@noble\/curves/,
  ]);
  const files = ofParts.map((url) => url.slice(url.indexOf('/packages/') + 10)).sort();
  // Where npm puts the library of addresses depends on the other packages.
  expect(files.filter((file) => !file.includes('/node_modules/ipaddr.js/'))).toEqual(DEFAULTS);
  // 42 of them when this was written.
  expect(scripts.length).toBeLessThanOrEqual(50);
});

test('doctor looks at a machine without loading a node', async () => {
  const { output, scripts } = await runRecorded([
    ...['doctor', '--offline', '--data-dir', dir, '--rpc-bind-port', '0', '--no-zmq'],
  ]);
  expect(output).toMatch(/^note +node +no node runs with these options/m);
  const ofNode = [
    /\/node_modules\/(lmdb|express|sonic-boom|libp2p|dns-packet|socks|semver)\//,
    /\/packages\/(blockchain|pow|dashboard|events|stratum)\//,
    /\/packages\/(consensus|crypto|mempool|miner|node|p2p|rpc|storage|zmq)\/dist\/index\.js$/,
    /\/daemon\/dist\/(node|run-daemon)\.js$/,
  ];
  expect(among(scripts, ofNode)).toEqual([]);
});

test('a command to a running node loads nothing of a node', async () => {
  const server = createServer((request, response) => {
    const isCall = request.url === '/json_rpc';
    const answer = isCall ? { jsonrpc: '2.0', id: 0, result: { status: 'OK' } } : INFO;
    response.end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { output, scripts } = await runRecorded(['status', '--rpc-bind-port', String(port)]);
    expect(output).toContain('Height: 1217/1217');
    expect(among(scripts, NODE_ONLY)).toEqual([]);
    // 210 of them when this was written.
    expect(scripts.length).toBeLessThanOrEqual(240);
  } finally {
    server.close();
  }
});
