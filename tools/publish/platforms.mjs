// The native addons and the platforms they are compiled for. Elsewhere, slower code takes their place.

/**
 * The packages with an addon: the name of its file, what the published package says of it, what takes its place elsewhere, and
 * the packages in whose folder `native` its sources are.
 */
const ADDONS = [
  {
    package: 'crypto',
    file: 'crypto.node',
    what: 'signatures and range proofs',
    otherwise: 'WebAssembly',
    sources: ['crypto'],
  },
  {
    package: 'fcmp',
    file: 'fcmp.node',
    what: 'proofs of the next fork',
    otherwise: 'JavaScript',
    sources: ['fcmp', 'crypto'],
  },
  {
    package: 'pow',
    file: 'randomx.node',
    what: 'RandomX',
    otherwise: 'WebAssembly',
    sources: ['pow'],
  },
];

/** The platforms, as npm compares them with the machine it installs on. Linux means glibc: no addon is made for musl. */
export const PLATFORMS = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
];

/** Returns the addon of a package, by its name without the scope; undefined for a package without one. */
export const addonOf = (name) => ADDONS.find((addon) => addon.package === name);

/** Returns all addons. */
export const addons = () => ADDONS;

/** Returns the name of the package with an addon compiled for a platform. */
export const prebuiltName = (addon, { os, cpu }) => `@monero-node/${addon.package}-${os}-${cpu}`;

/** Returns whether a package, named with the scope, is one with an addon. */
export const isAddonPackage = (name) => /-(linux|darwin)-(x64|arm64)$/.test(name);

/** Returns the names of the packages with addons that npm installs on a machine, { platform, arch } as those of Node's `process`. */
export const addonPackagesOf = ({ platform, arch }) =>
  PLATFORMS.filter(({ os, cpu }) => os === platform && cpu === arch).flatMap((each) =>
    ADDONS.map((addon) => prebuiltName(addon, each)),
  );
