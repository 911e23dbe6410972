// Downloads files whose digests the repository knows, and keeps them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../publish/packages.mjs';

/** Everything of releases is below this folder, which git ignores. */
export const RELEASES = join(ROOT, '.release');
/** Where downloads are kept. */
export const DOWNLOADS = join(RELEASES, 'downloads');

/** Returns the digest of a file in the form of npm, for example `sha512-` and base64. */
export function integrityOf(file, algorithm) {
  return `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest('base64')}`;
}

/** Throws Error, and removes the file, when a file differs from what the repository names. */
export function checkIntegrity(file, integrity) {
  if (integrityOf(file, integrity.split('-', 1)[0]) === integrity) return;
  rmSync(file);
  throw new Error(
    `${basename(file)} is not the file whose digest the repository has; it was deleted`,
  );
}

/**
 * Returns the path of a package's tarball, which npm downloads unless it is in `downloads`.
 *
 * Throws Error when it cannot be downloaded or has another digest.
 */
export function downloadFromNpm({ name, version, integrity, downloads }) {
  mkdirSync(downloads, { recursive: true });
  const file = join(downloads, `${name}-${version}.tgz`);
  if (!existsSync(file)) {
    const how = ['pack', `${name}@${version}`, '--pack-destination', downloads, '--silent'];
    execFileSync('npm', how, { stdio: ['ignore', 'ignore', 'inherit'], cwd: downloads });
  }
  checkIntegrity(file, integrity);
  return file;
}
