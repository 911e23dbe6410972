// Prepares a checkout for work: installs every node module if they are stale and builds everything if sources changed.
// Needs only Node, so it works in a fresh clone; does nothing if everything is current.
import { existsSync } from 'node:fs';
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

async function installModules() {
  const fingerprint = modulesFingerprint();
  if (hasAllModules(fingerprint)) return;
  await step('installing node modules', () =>
    run('npm ci', 'npm', ['ci', '--no-audit', '--no-fund']),
  );
  mark('modules', fingerprint);
}

async function build() {
  const fingerprint = sourceFingerprint();
  if (existsSync(join(root, 'apps/daemon/dist/main.js')) && isCurrent('build', fingerprint)) return;
  const args = ['nx', 'run-many', '-t', 'build', '--outputStyle=stream'];
  const env = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true' };
  const output = await step('building', () => run('the build', 'npx', args, { env }));
  for (const line of output.match(/(?:randomx|crypto): native addon.*$/gm) ?? [])
    console.log(`setup: ${line}`);
  unmark('daemon');
  mark('build', fingerprint);
}

checkNode();
await installModules();
await build();
