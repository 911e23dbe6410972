// Starts a regtest node without peers, runs every program of examples/ against it and the tests of examples/jest and
// examples/vitest, and fails if one fails.
//
//   node tools/run-examples.mjs [--project FOLDER]
//
// With --project, the examples, the daemon, Jest and Vitest are those of a folder into which the packages are installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { project: { type: 'string' } } });
const ROOT = values.project ?? fileURLToPath(new URL('..', import.meta.url));
const DAEMON = values.project === undefined ? 'apps/daemon' : 'node_modules/@monero-node/daemon';
const START_MS = 60_000;
const EXAMPLE_MS = 60_000;

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

/** Test runners and what runs the tests of their folder. */
const RUNNERS = {
  jest: [
    ...['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--rootDir', 'examples/jest'],
    ...['--config', '{"testMatch":["**/*.test.mjs"],"transform":{}}'],
  ],
  vitest: ['node_modules/vitest/vitest.mjs', 'run', '--root', 'examples/vitest'],
};

/** Runs one program and returns whether it succeeded. */
async function run(name, args) {
  console.log(`\n${name}`);
  const program = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    timeout: EXAMPLE_MS,
  });
  const [code] = await once(program, 'exit');
  return code === 0;
}

const data = await mkdtemp(join(tmpdir(), 'monero-node-examples-'));
const [rpcPort, p2pPort] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${rpcPort}`;
const options = {
  'data-dir': data,
  'rpc-bind-port': rpcPort,
  'p2p-bind-ip': '127.0.0.1',
  'p2p-bind-port': p2pPort,
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
try {
  await ready(node, url);
  const args = { 'ask-node.mjs': [url], 'handshake.mjs': [`127.0.0.1:${p2pPort}`, 'regtest'] };
  const files = (await readdir(join(ROOT, 'examples'))).filter((name) => name.endsWith('.mjs'));
  for (const file of files.sort()) {
    if (!(await run(file, [join('examples', file), ...(args[file] ?? [])]))) failed.push(file);
  }
  for (const [runner, words] of Object.entries(RUNNERS)) {
    if (!(await run(runner, words))) failed.push(runner);
  }
} finally {
  if (node.exitCode === null) {
    node.kill('SIGTERM');
    await once(node, 'exit');
  }
  await rm(data, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
