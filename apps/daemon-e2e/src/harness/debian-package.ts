import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { newFolder } from './run-folder.ts';

const BUILDER = fileURLToPath(new URL('../../../../tools/package-deb.mjs', import.meta.url));

/**
 * Makes our Debian package with the Node of this process, which needs no network, and without compression, which would take most
 * of the time; returns its path.
 */
export function makeDebianPackage(version: string): string {
  const how = ['--version', version, '--out', newFolder('deb'), '--compression', 'none'];
  how.push('--node', process.execPath);
  return execFileSync(process.execPath, [BUILDER, ...how], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1) as string;
}
