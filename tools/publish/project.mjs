// Empty projects outside of the workspace, into which packages are installed from a local registry.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

const INSTALL = [
  'install',
  // No package of this workspace needs an install script, and neither does what it depends on.
  ...['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'],
];

/**
 * Makes a project below `parent` with the packages installed and returns its folder. Throws Error when npm fails.
 *
 * @param packages what `npm install` accepts: names, or names with versions
 */
export async function createProject(parent, registry, packages) {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'project-'));
  const manifest = { name: 'stranger', private: true, type: 'module' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, '.npmrc'), `@monero-node:registry=${registry.url}\n`);
  const { ok, output } = await run('npm', [...INSTALL, ...packages], { cwd: folder });
  if (!ok) throw new Error(`npm install ${packages.join(' ')} failed\n${output}`);
  return folder;
}
