import semver from 'semver';
import type { OfferedVersion } from './read-manifest.ts';

/**
 * Returns whether a node of version `own` should move to the one offered: it is higher, its makers do not advise against
 * it, and it is no pre-release, unless the node runs one.
 */
export function isNewer({ version, isDeprecated }: OfferedVersion, own: string): boolean {
  if (isDeprecated || !semver.gt(version, own)) return false;
  return semver.prerelease(version) === null || semver.prerelease(own) !== null;
}
