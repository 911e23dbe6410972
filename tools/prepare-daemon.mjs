// Prepares a checkout for running the daemon: installs the node modules of the daemon and compiles it without checking types. Native
// code is compiled in the background; the node runs on WebAssembly until its next start. Does nothing if everything is current.
//
// tools/setup.mjs prepares the whole checkout. After it there is nothing left to do here.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compileAddonsInBackground, staleAddons } from './setup/addons.mjs';
import {
  checkNode,
  hasAllModules,
  isCurrent,
  mark,
  modulesFingerprint,
  npmCi,
  root,
  sourceFingerprint,
  unmark,
} from './setup/checkout.mjs';
import { compile, foldersNeededBy } from './setup/compile.mjs';

const DAEMON = 'apps/daemon';
/** The workspaces whose dependencies are installed. */
const WORKSPACES = [DAEMON, 'tools/compile'];

async function installModules() {
  const fingerprint = modulesFingerprint();
  const hasSome =
    existsSync(join(root, 'node_modules')) && isCurrent('daemon-modules', fingerprint);
  if (hasSome || hasAllModules(fingerprint)) return;
  unmark('modules');
  await npmCi(['--omit=dev', ...WORKSPACES.flatMap((workspace) => ['-w', workspace])]);
  mark('daemon-modules', fingerprint);
}

async function build() {
  const fingerprint = sourceFingerprint();
  const hasDist = existsSync(join(root, DAEMON, 'dist/main.js'));
  if (hasDist && (isCurrent('build', fingerprint) || isCurrent('daemon', fingerprint))) return;
  unmark('build');
  await compile(foldersNeededBy(DAEMON), { withTesting: false });
  mark('daemon', fingerprint);
}

checkNode();
await installModules();
await build();
compileAddonsInBackground(staleAddons());
