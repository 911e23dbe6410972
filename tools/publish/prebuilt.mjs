// Makes the packages with compiled addons: @monero-node/crypto-linux-x64 and so on. tools/build-prebuilt.mjs compiles them.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sharedFields } from './manifest.mjs';
import { OUTPUT, readJson, ROOT } from './packages.mjs';
import { addons, PLATFORMS, prebuiltName } from './platforms.mjs';

/** Returns where a compiled addon is kept until it is packed. */
export const prebuiltFile = (addon, { os, cpu }) =>
  join(OUTPUT, 'prebuilt', `${os}-${cpu}`, addon.file);

/** Scripts that choose how an addon is compiled, and the release of RandomX in it. */
const BUILDERS = [
  'tools/build-addon.mjs',
  'tools/build-prebuilt.mjs',
  'tools/native-toolchain.mjs',
  'tools/publish/old-glibc.c',
  'tools/publish/old-glibc.mjs',
  'tools/publish/randomx-release.mjs',
];

const digestFile = (addon, platform) => `${prebuiltFile(addon, platform)}.sources`;

/** Returns a digest of what an addon is compiled from. */
function sourcesDigest(addon) {
  const files = addon.sources.flatMap((source) => {
    const folder = join(ROOT, 'packages', source, 'native');
    const names = readdirSync(folder).filter((name) => /\.(cc|h)$/.test(name));
    return names.sort().map((name) => join(folder, name));
  });
  const hash = createHash('sha256');
  for (const file of [...files, ...BUILDERS.map((path) => join(ROOT, path))])
    hash.update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** Notes beside a compiled addon that it was made from the present sources. */
export function markPrebuilt(addon, platform) {
  writeFileSync(digestFile(addon, platform), sourcesDigest(addon));
}

/** Returns whether an addon was compiled, from the present sources. */
export function isCurrent(addon, platform) {
  const mark = digestFile(addon, platform);
  return existsSync(mark) && readFileSync(mark, 'utf8') === sourcesDigest(addon);
}

/** Throws Error when a compiled addon was made from other sources. */
function checkPrebuilt(addon, platform) {
  if (isCurrent(addon, platform)) return;
  const file = prebuiltFile(addon, platform);
  throw new Error(`${file} was made from other sources: run node tools/build-prebuilt.mjs`);
}

function manifestOf(addon, platform) {
  const folder = `packages/${addon.package}`;
  const { version } = readJson(join(ROOT, folder, 'package.json'));
  const { os, cpu, libc } = platform;
  return {
    name: prebuiltName(addon, platform),
    version,
    description: `Native code of @monero-node/${addon.package} (${addon.what}) for ${os} on ${cpu}`,
    keywords: ['monero', 'native', os, cpu],
    ...sharedFields(folder),
    // npm installs it on these machines only.
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    type: 'commonjs',
    main: `./${addon.file}`,
    exports: { '.': `./${addon.file}`, './package.json': './package.json' },
  };
}

const readme = ({ name, description, libc }, addon) => `# ${name}

${description}. npm installs it together with \`@monero-node/${addon.package}\`, which falls back to
${addon.otherwise} where no such package fits${libc ? ', among others on Linux with musl' : ''}. Do not depend on it by name.
`;

/** Stages a package for each compiled addon in .publish/prebuilt and returns their folders. Throws Error for an outdated one. */
export function stagePrebuilt() {
  return addons().flatMap((addon) =>
    PLATFORMS.filter((platform) => existsSync(prebuiltFile(addon, platform))).map((platform) => {
      checkPrebuilt(addon, platform);
      const manifest = manifestOf(addon, platform);
      const folder = join(OUTPUT, 'packages', manifest.name);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      copyFileSync(prebuiltFile(addon, platform), join(folder, addon.file));
      copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
      writeFileSync(join(folder, 'README.md'), readme(manifest, addon));
      writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
      return folder;
    }),
  );
}
