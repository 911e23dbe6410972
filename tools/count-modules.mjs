// Counts the modules that importing a package loads, and the time it takes in a fresh process.
//
//   node tools/count-modules.mjs [SPECIFIER]     by default @monero-node/rpc-client
//
// Loads the built packages. Fails when the limits for small clients are exceeded: at most 80 modules in
// 150 ms, none of them from a package that only a node needs.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_MODULES = 80;
const MAX_MS = 150;
const FORBIDDEN =
  /node_modules\/(lmdb|express|zeromq|libp2p|@libp2p)\/|packages\/(blockchain|mempool|storage|p2p|miner|rpc)\//;

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const specifier = process.argv[2] ?? '@monero-node/rpc-client';

/** Runs in a fresh process, from a folder that sees the packages of the workspace. */
const probe = `
  import { register } from 'node:module';
  import { MessageChannel } from 'node:worker_threads';
  const urls = [];
  const hooks = 'export async function initialize({ port }) { globalThis.port = port; }' +
    'export async function load(url, context, next) { globalThis.port.postMessage(url); return next(url, context); }';
  const count = process.argv[1] === 'count';
  const { port1, port2 } = new MessageChannel();
  if (count) {
    port1.on('message', (url) => urls.push(url)).unref();
    register('data:text/javascript,' + encodeURIComponent(hooks), { data: { port: port2 }, transferList: [port2] });
  }
  const start = performance.now();
  await import(${JSON.stringify(specifier)});
  const milliseconds = performance.now() - start;
  if (count) await new Promise((resolve) => setTimeout(resolve, 50));
  console.log(JSON.stringify({ urls, milliseconds }));
  process.exit();
`;

function run(mode) {
  const cwd = join(workspace, 'packages/rpc-client');
  const args = ['--input-type=module', '--eval', probe, mode];
  return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }));
}

const urls = run('count').urls.filter((url) => url.startsWith('file:'));
const times = [1, 2, 3].map(() => run('time').milliseconds);
const milliseconds = Math.min(...times);
const forbidden = urls.filter((url) => FORBIDDEN.test(url));

console.log(`${specifier}: ${urls.length} modules, ${milliseconds.toFixed(0)} ms`);
for (const url of forbidden) console.log(`only a node needs ${url}`);
if (forbidden.length > 0 || urls.length > MAX_MODULES || milliseconds > MAX_MS) {
  process.exitCode = 1;
}
if (process.argv.includes('--list')) console.log(urls.join('\n'));
