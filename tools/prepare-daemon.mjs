// Prepares a checkout for running the daemon, and nothing else: installs the node modules that it needs, turns its TypeScript
// into JavaScript without checking types, and compiles WebAssembly and the web page at the same time. The native addons are
// compiled in the background; the node runs on WebAssembly until its next start. Does nothing if everything is current.
//
// tools/setup.mjs prepares the whole checkout; what it made is used as it is.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkNode,
  hasAllModules,
  isCurrent,
  mark,
  modulesFingerprint,
  root,
  run,
  sourceFingerprint,
  step,
  unmark,
} from './setup/checkout.mjs';

const DAEMON = 'apps/daemon';
/** The workspaces whose dependencies are installed. */
const WORKSPACES = [DAEMON, 'tools/compile'];
/** The folders with the sources of each addon. */
const ADDONS = { crypto: 'packages/crypto/native', randomx: 'packages/pow/native' };

async function installModules() {
  const fingerprint = modulesFingerprint();
  const hasSome =
    existsSync(join(root, 'node_modules')) && isCurrent('daemon-modules', fingerprint);
  if (hasSome || hasAllModules(fingerprint)) return;
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  args.push(...WORKSPACES.flatMap((workspace) => ['-w', workspace]));
  unmark('modules');
  await step('installing node modules', () => run('npm ci', 'npm', args));
  mark('daemon-modules', fingerprint);
}

const packageAt = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** Returns the folders of the daemon and of every workspace that it needs. */
function daemonFolders() {
  const folders = new Map();
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = `packages/${name}`;
    if (existsSync(join(root, folder, 'package.json'))) folders.set(packageAt(folder).name, folder);
  }
  const needed = new Set();
  const add = (folder) => {
    if (folder === undefined || needed.has(folder)) return;
    needed.add(folder);
    for (const name of Object.keys(packageAt(folder).dependencies ?? {})) add(folders.get(name));
  };
  add(DAEMON);
  return [...needed];
}

/** Compiles what the daemon runs. */
async function compile(folders) {
  // Type information of an older build would no longer describe what is there.
  for (const folder of folders) {
    rmSync(join(root, folder, 'dist/tsconfig.lib.tsbuildinfo'), { force: true });
  }
  const { transpileAll } = await import('./setup/transpile.mjs');
  await step('JavaScript', () => transpileAll(folders));
  const programs = folders.flatMap((folder) => {
    const found = ['assembly/build.mjs', 'build.mjs'].filter((file) =>
      existsSync(join(root, folder, file)),
    );
    return found.map((file) => ({ folder, file }));
  });
  await step('WebAssembly and web page', () =>
    Promise.all(
      programs.map(({ folder, file }) =>
        run(`${folder}/${file}`, process.execPath, [file], {
          cwd: join(root, folder),
          env: { ...process.env, WITHOUT_TESTING: '1' },
          shell: false,
        }),
      ),
    ),
  );
}

/** Returns whether an addon is missing or older than its sources. */
function isStale(name) {
  const folder = join(root, ADDONS[name]);
  const addon = join(folder, 'build', `${name}.node`);
  if (!existsSync(addon)) return true;
  const built = statSync(addon).mtimeMs;
  return readdirSync(folder).some((file) => statSync(join(folder, file)).mtimeMs > built);
}

/** Compiles addons in the background, with low priority. */
function compileAddons(names) {
  if (names.length === 0) return;
  console.log(
    'setup: native addons are compiled in the background; the next start uses them, this one runs on WebAssembly',
  );
  const child = spawn(process.execPath, [join(root, 'tools/setup/addons.mjs'), ...names], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', () => undefined);
  child.unref();
}

/** Prepares the checkout. Returns once the daemon can run. */
async function prepare() {
  checkNode();
  await installModules();
  const fingerprint = sourceFingerprint();
  const hasDist = existsSync(join(root, DAEMON, 'dist/main.js'));
  if (hasDist && (isCurrent('build', fingerprint) || isCurrent('daemon', fingerprint))) return;
  unmark('build');
  await compile(daemonFolders());
  mark('daemon', fingerprint);
  compileAddons(Object.keys(ADDONS).filter(isStale));
}

await prepare();
