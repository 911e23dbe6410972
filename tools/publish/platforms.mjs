// The native addons and the platforms they are compiled for. Elsewhere, WebAssembly takes their place.

/** The packages with an addon: its folder of sources, the name of its file, and what the published package says of it. */
const ADDONS = [
  { package: 'crypto', file: 'crypto.node', what: 'signatures and range proofs' },
  { package: 'pow', file: 'randomx.node', what: 'RandomX' },
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
