// Prepares a checkout for work: installs every node module, and compiles everything that the tests and programs of this repository
// run, without checking types ("npm run build" does). Needs only Node, so it works in a fresh clone; does nothing if everything is
// current.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compileAddons, staleAddons } from './setup/addons.mjs';
import {
  checkNode,
  hasAllModules,
  isCurrent,
  mark,
  modulesFingerprint,
  npmCi,
  root,
  sourceFingerprint,
} from './setup/checkout.mjs';
import { compile, workspaceFolders } from './setup/compile.mjs';

async function installModules() {
  const fingerprint = modulesFingerprint();
  if (hasAllModules(fingerprint)) return;
  await npmCi([]);
  mark('modules', fingerprint);
}

async function build() {
  const fingerprint = sourceFingerprint();
  const isBuilt = existsSync(join(root, 'apps/daemon/dist/main.js'));
  if (!isBuilt || !isCurrent('build', fingerprint)) {
    await compile(workspaceFolders(['packages', 'apps']), { withTesting: true });
    mark('build', fingerprint);
  }
  await compileAddons(staleAddons());
}

checkNode();
await installModules();
await build();
