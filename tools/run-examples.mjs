// Starts a regtest node without peers, runs the programs of examples/ and the examples of READMEs and docstrings against it, and
// the tests of examples/jest and examples/vitest; fails if one fails.
//
//   node tools/run-examples.mjs [--project FOLDER] [--only TEXT] [--runtimes]
//
// With --project, the examples use the packages, the daemon, Jest and Vitest that are installed in a folder, and are run there.
// --only runs those whose name contains a text. --runtimes runs those of codec, crypto, pow and rpc-client with Deno and Bun too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { docExamples, runnableExample } from './examples/doc-examples.mjs';
import { installRuntimes } from './publish/runtimes.mjs';

const { values } = parseArgs({
  options: {
    project: { type: 'string' },
    only: { type: 'string', default: '' },
    runtimes: { type: 'boolean', default: false },
  },
});
const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
const ROOT = values.project ?? CHECKOUT;
const DAEMON = values.project === undefined ? 'apps/daemon' : 'node_modules/@monero-node/daemon';
/** Examples of documents and bundles, below the folder whose packages they import; git ignores it. */
const MADE = join(ROOT, '.publish', 'examples');
const START_MS = 60_000;
const EXAMPLE_MS = 120_000;

/** Returns a TCP port of the loopback interface on which no program listens. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until the node answers. Throws Error when the node ends or takes too long. */
async function ready(node, url) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (node.exitCode !== null) throw new Error(`the node ended with ${node.exitCode}`);
    const answer = await fetch(`${url}/get_height`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the node does not answer');
}

/** Programs that need nothing of Node: codec, crypto, pow and rpc-client. */
const PORTABLE =
  /^(ask-node|browser|check-proof-of-work|decode-transaction|verify-ring-signature)\.mjs$|^packages\/(codec|crypto|keccak|pow|rpc-client)\//;
/** Test runners and what runs the tests of their folder. */
const RUNNERS = {
  jest: [
    ...['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--rootDir', 'examples/jest'],
    ...['--config', '{"testMatch":["**/*.test.mjs"],"transform":{}}'],
  ],
  vitest: ['node_modules/vitest/vitest.mjs', 'run', '--root', 'examples/vitest'],
};
const NODE = { name: 'Node', program: process.execPath, args: [] };

/** Runs one program and returns whether it succeeded. */
async function run({ name, file = [], args = [] }, runtime = NODE) {
  console.log(`\n${name}${runtime === NODE ? '' : `, ${runtime.name}`}`);
  const program = spawn(runtime.program, [...runtime.args, ...[file].flat(), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    timeout: EXAMPLE_MS,
  });
  const [code] = await once(program, 'exit');
  return code === 0;
}

/** Bundles a program as for a page and returns the file. Throws Error when it needs a module of Node. */
async function bundled(file) {
  const outfile = join(MADE, 'bundle.mjs');
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    nodePaths: [],
  });
  return outfile;
}

/** Returns the programs to run as { name, file, args }. */
async function programs(ports) {
  const url = `http://127.0.0.1:${ports.rpc}`;
  const peer = `127.0.0.1:${ports.p2p}`;
  const args = {
    'ask-node.mjs': [url],
    'crawl.mjs': ['regtest', peer],
    'handshake.mjs': [peer, 'regtest'],
  };
  const names = (await readdir(join(ROOT, 'examples'))).filter((name) => name.endsWith('.mjs'));
  const files = names.sort().map((name) => ({
    name,
    args: args[name],
    file: join(ROOT, 'examples', name),
  }));
  const browser = await bundled(join(ROOT, 'examples/browser.mjs'));
  const documents = docExamples(CHECKOUT).map(async (example, i) => {
    const file = join(MADE, `document-${i}.mjs`);
    await writeFile(file, await runnableExample(example, ports));
    return { name: example.name, file };
  });
  return [
    ...files,
    { name: 'browser.mjs, bundled', file: browser },
    ...(await Promise.all(documents)),
    ...Object.entries(RUNNERS).map(([name, words]) => ({ name, args: words })),
  ];
}

const data = await mkdtemp(join(tmpdir(), 'monero-node-examples-'));
const ports = { rpc: await freePort(), p2p: await freePort() };
const options = {
  'data-dir': data,
  'rpc-bind-port': ports.rpc,
  'p2p-bind-ip': '127.0.0.1',
  'p2p-bind-port': ports.p2p,
};
const node = spawn(
  process.execPath,
  [
    join(DAEMON, 'dist/main.js'),
    ...['--regtest', '--no-igd', '--no-zmq', '--non-interactive', '--allow-local-ip'],
    ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  ],
  { cwd: ROOT, stdio: 'ignore' },
);
const failed = [];
let count = 0;
try {
  await mkdir(MADE, { recursive: true });
  await ready(node, `http://127.0.0.1:${ports.rpc}`);
  const runtimes = values.runtimes ? await installRuntimes() : [];
  for (const each of await programs(ports)) {
    if (!each.name.includes(values.only)) continue;
    for (const runtime of [NODE, ...(PORTABLE.test(each.name) ? runtimes : [])]) {
      count++;
      if (!(await run(each, runtime))) failed.push(`${each.name} (${runtime.name})`);
    }
  }
} finally {
  if (node.exitCode === null) {
    node.kill('SIGTERM');
    await once(node, 'exit');
  }
  await rm(data, { recursive: true, force: true });
  await rm(MADE, { recursive: true, force: true });
}
console.log(`\n${count} examples, ${failed.length} failed`);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
