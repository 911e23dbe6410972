// Runs the arm64 archive of a release by an emulated processor to its first block, on the libraries that the image has. Needs
// qemu-user-static and dpkg-deb.
//
//   node tools/release/try-arm64.mjs [ARCHIVE]
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readJson, ROOT } from '../publish/packages.mjs';
import { prepareBase } from './debian-base.mjs';
import { DOWNLOADS, RELEASES } from './downloads.mjs';

const EMULATOR = 'qemu-aarch64-static';
const FIRST_BLOCK = join(dirname(fileURLToPath(import.meta.url)), 'first-block.mjs');
/** Tries to reach the node, of a second each. */
const TRIES = 900;

/** Returns a port of this machine that nothing listens on. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const { version } = readJson(join(ROOT, 'package.json'));
const archive =
  process.argv[2] ?? join(RELEASES, version, `monero-node-${version}-linux-arm64.tar.gz`);
if (spawnSync(EMULATOR, ['--version']).error || !existsSync(archive)) {
  console.error(`needs ${EMULATOR} (Debian: qemu-user-static) and ${archive}`);
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'release-arm64-'));
try {
  const [base, unpacked] = ['base', 'unpacked'].map((name) => join(scratch, name));
  for (const folder of [base, unpacked]) mkdirSync(folder);
  for (const file of prepareBase('arm64', DOWNLOADS)) execFileSync('dpkg-deb', ['-x', file, base]);
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, '--strip-components=1']);
  const [rpcPort, p2pPort] = [await freePort(), await freePort()];
  const program = join(unpacked, 'lib/node_modules/@monero-node/daemon/dist/main.js');
  const options = [
    ...['--regtest', '--offline', '--non-interactive', '--rpc-ssl', 'disabled'],
    ...['--data-dir', join(scratch, 'data'), '--rpc-bind-port', String(rpcPort)],
    ...['--p2p-bind-port', String(p2pPort)],
  ];
  const node = spawn(EMULATOR, ['-L', base, join(unpacked, 'lib/node'), program, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  node.stdout.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => node.once('exit', resolve));
  for (let tries = 0; ; tries++) {
    if (node.exitCode !== null || tries === TRIES) throw new Error(`no answer\n${output}`);
    const answer = await fetch(`http://127.0.0.1:${rpcPort}/get_info`).catch(() => undefined);
    if (answer?.ok) break;
    await sleep(1000);
  }
  const block = spawnSync(process.execPath, [FIRST_BLOCK, String(rpcPort)], { encoding: 'utf8' });
  node.kill('SIGTERM');
  const status = await ended;
  if (block.status !== 0 || status !== 0 || !output.includes('crypto: native'))
    throw new Error(`${block.stderr}\nexit status ${status}\n${output}`);
  console.log(`arm64: ${block.stdout.trim()}`);
} catch (error) {
  console.error(`arm64: FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
