// Prepares a checkout: installs node modules if they are stale and builds if sources changed.
// Needs only Node, so it works in a fresh clone; does nothing if everything is current.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolchain } from './native-toolchain.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampDir = join(root, '.setup');
const NODE_MINIMUM = [20, 19];
const BUILD_DIRS = ['packages', 'apps', 'examples', 'tools'];
const NOT_SOURCE = new Set(['node_modules', 'dist', 'out-tsc', 'build', 'fixtures', 'coverage']);

/** Runs a command; its output is shown only when it fails. */
function run(what, command, args) {
  console.log(`setup: ${what} ...`);
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status === 0) return result.stdout;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}\nsetup: ${what} failed\n`);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantMajor, wantMinor] = NODE_MINIMUM;
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return;
  console.error(
    `setup: Node ${NODE_MINIMUM.join('.')} or newer is required; this is ${process.version}`,
  );
  process.exit(1);
}

function isCurrent(name, fingerprint) {
  const file = join(stampDir, name);
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprint;
}

function mark(name, fingerprint) {
  mkdirSync(stampDir, { recursive: true });
  writeFileSync(join(stampDir, name), fingerprint);
}

function installModules() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const fingerprint = createHash('sha256')
    .update(lock)
    .update(`${process.platform} ${process.arch} ${process.versions.modules}`)
    .digest('hex');
  if (existsSync(join(root, 'node_modules/nx')) && isCurrent('modules', fingerprint)) return;
  run('installing node modules', 'npm', ['ci', '--no-audit', '--no-fund']);
  mark('modules', fingerprint);
}

/** Returns a hash of the name, size and time of every file that a build reads. */
function sourceFingerprint() {
  const hash = createHash('sha256');
  const walk = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (NOT_SOURCE.has(entry.name)) continue;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) {
        walk(path);
      } else if (!/\.(spec|fuzz)\.ts$/.test(entry.name)) {
        const { size, mtimeMs } = statSync(path);
        hash.update(`${path} ${size} ${mtimeMs}\n`);
      }
    }
  };
  for (const dir of BUILD_DIRS) walk(join(root, dir));
  for (const file of ['package-lock.json', 'tsconfig.base.json', 'nx.json']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.update(toolchain()).digest('hex');
}

function build() {
  const fingerprint = sourceFingerprint();
  if (existsSync(join(root, 'apps/daemon/dist/main.js')) && isCurrent('build', fingerprint)) return;
  const output = run('building', 'npx', ['nx', 'run-many', '-t', 'build', '--outputStyle=stream']);
  for (const line of output.match(/(?:randomx|crypto): native addon.*$/gm) ?? [])
    console.log(`setup: ${line}`);
  mark('build', fingerprint);
}

checkNode();
installModules();
build();
