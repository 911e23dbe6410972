// Makes the package.json of a published package from the one in the workspace.
import { join } from 'node:path';
import { readJson, ROOT, shortName } from './packages.mjs';
import { addonOf, PLATFORMS, prebuiltName } from './platforms.mjs';

/** The condition under which this workspace finds its TypeScript sources, which are not published. */
const SOURCE = '@monero-node/source';
/** Fields that only this workspace uses. */
const PRIVATE_FIELDS = new Set(['nx', 'scripts', 'devDependencies', 'files']);

/** Returns the fields that are the same for all packages: license, author, repository and so on. */
export function sharedFields(directory) {
  const { license, author, homepage, bugs, repository, engines } = readJson(
    join(ROOT, 'package.json'),
  );
  return {
    license,
    author,
    homepage,
    bugs,
    repository: { ...repository, directory },
    engines,
    publishConfig: { access: 'public', provenance: true },
  };
}

/** Returns a value of `exports` or `imports` without the sources; undefined when nothing is left. */
function withoutSource(target) {
  if (typeof target === 'string' || target === null) return target;
  const left = Object.entries(target)
    .filter(([condition]) => condition !== SOURCE)
    .map(([condition, value]) => [condition, withoutSource(value)])
    .filter(([, value]) => value !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Returns the addons of all platforms as dependencies that npm skips where they do not fit. */
function prebuiltAddons(name, version) {
  const addon = addonOf(name);
  if (addon === undefined) return {};
  const names = PLATFORMS.map((platform) => [prebuiltName(addon, platform), version]);
  return { optionalDependencies: Object.fromEntries(names) };
}

/** Returns the package.json to publish for a package of `publishedPackages()`. */
export function publishedManifest({ name, folder, manifest }) {
  const { version, dependencies, exports, imports, ...others } = manifest;
  const own = Object.entries(others).filter(([field]) => !PRIVATE_FIELDS.has(field));
  return {
    ...Object.fromEntries(own),
    version,
    ...sharedFields(folder.slice(ROOT.length + 1)),
    exports: withoutSource(exports),
    ...(imports && { imports: withoutSource(imports) }),
    ...(dependencies && { dependencies }),
    ...prebuiltAddons(shortName(name), version),
  };
}
