// Installs programs of the npm registry below .publish, once: compilers, runtimes and bundlers that a check runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT } from './packages.mjs';
import { run } from './run.mjs';

const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline'];

/**
 * Installs one package into a folder below .publish, without install scripts, unless `file` is there. Returns { ok, path, output }: the
 * path of `file`, and what npm printed.
 *
 * @param folder below .publish, of this package only
 * @param specifier name and version of the package
 * @param file a path below the folder's node_modules that the package brings
 */
export async function installOnce({ folder, specifier, file }) {
  const target = join(OUTPUT, folder);
  const path = join(target, 'node_modules', file);
  if (existsSync(path)) return { ok: true, path, output: '' };
  const args = [...INSTALL, '--ignore-scripts', '--prefix', target, specifier];
  const { ok, output } = await run('npm', args);
  return { ok: ok && existsSync(path), path, output };
}
