// Compiles the native addons of one platform for publishing, into .publish/prebuilt (docs/internals/publishing.md):
//
//   node tools/build-prebuilt.mjs [--arch x64 | arm64] [--randomx FILE]
//
// Needs a C++ compiler and CMake. RandomX is linked into its addon, as a static library compiled from its source:
// Debian's source package, or the file of the same content that --randomx names. --arch other than this machine's needs the
// cross compiler of Debian, g++-aarch64-linux-gnu or g++-x86-64-linux-gnu.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { debianApt } from './publish/debian-apt.mjs';
import { librariesNeeded } from './publish/needed-libraries.mjs';
import { OUTPUT, ROOT } from './publish/packages.mjs';
import { addons, PLATFORMS } from './publish/platforms.mjs';
import { markPrebuilt, prebuiltFile } from './publish/prebuilt.mjs';
import { RANDOMX_SHA256, RANDOMX_VERSION } from './publish/randomx-release.mjs';

const TRIPLETS = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
const PROCESSORS = { x64: 'x86_64', arm64: 'aarch64' };

const { values } = parseArgs({
  options: { arch: { type: 'string', default: process.arch }, randomx: { type: 'string' } },
});
const platform = PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === values.arch);
if (platform === undefined) {
  console.error(`no addons are published for ${process.platform} on ${values.arch}`);
  process.exit(2);
}
const isCross = values.arch !== process.arch;
const compilerOf = (language) => (isCross ? `${TRIPLETS[values.arch]}-${language}` : undefined);
const cxx = compilerOf('g++') ?? process.env.CXX ?? 'c++';
const scratch = join(OUTPUT, 'randomx');

function run(command, args, options) {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
}

/** Downloads Debian's source package. Returns the path. */
function downloadRandomx() {
  const folder = join(scratch, 'apt');
  const apt = debianApt(folder, { type: 'deb-src' });
  apt('update');
  apt('source', '--download-only', '--tar-only', 'librandomx');
  const file = readdirSync(folder).find((name) => name.endsWith('.orig.tar.gz'));
  if (file === undefined) throw new Error('apt-get did not download librandomx');
  return join(folder, file);
}

/** Returns a prefix with the header and the static library only. */
function buildRandomx(tarball) {
  const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex');
  if (digest !== RANDOMX_SHA256) throw new Error(`${tarball} is not RandomX ${RANDOMX_VERSION}`);
  const source = join(scratch, 'source');
  const build = join(scratch, `build-${values.arch}`);
  const prefix = join(scratch, `prefix-${values.arch}`);
  for (const folder of [source, build, prefix]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [source, join(prefix, 'include'), join(prefix, 'lib')]) {
    mkdirSync(folder, { recursive: true });
  }
  run('tar', ['-xzf', tarball, '-C', source, '--strip-components=1']);
  const cross = isCross && [
    '-DCMAKE_SYSTEM_NAME=Linux',
    `-DCMAKE_SYSTEM_PROCESSOR=${PROCESSORS[values.arch]}`,
    `-DCMAKE_C_COMPILER=${compilerOf('gcc')}`,
  ];
  const settings = [
    `-DCMAKE_CXX_COMPILER=${cxx}`,
    '-DCMAKE_BUILD_TYPE=Release',
    // The default is any processor of the architecture, as opposed to this machine's.
    ...['-DARCH=default', '-DBUILD_SHARED_LIBS=OFF', '-DCMAKE_POSITION_INDEPENDENT_CODE=ON'],
    ...['C', 'CXX'].map((of) => `-DCMAKE_${of}_FLAGS=-ffile-prefix-map=${OUTPUT}=.`),
    ...(cross || []),
  ];
  run('cmake', ['-S', source, '-B', build, ...settings]);
  run('cmake', ['--build', build, '--target', 'randomx', '--parallel', '2']);
  copyFileSync(join(source, 'src/randomx.h'), join(prefix, 'include/randomx.h'));
  copyFileSync(join(build, 'librandomx.a'), join(prefix, 'lib/librandomx.a'));
  return prefix;
}

mkdirSync(scratch, { recursive: true });
const prefix = buildRandomx(values.randomx ?? downloadRandomx());
for (const addon of addons()) {
  const file = prebuiltFile(addon, platform);
  const folder = join(file, '..');
  run(
    process.execPath,
    [join(ROOT, 'tools/build-addon.mjs'), addon.file.replace('.node', ''), `--release=${folder}`],
    { env: { ...process.env, CXX: cxx, ADDON_ARCH: values.arch, RANDOMX_PREFIX: prefix } },
  );
  if (platform.libc === 'glibc') {
    const { needed, tooNew } = librariesNeeded(file);
    console.log(`${file}: needs ${needed.join(', ')}`);
    if (tooNew.length > 0)
      throw new Error(`${file} needs ${tooNew.join(', ')}, newer than the packages promise`);
  }
  markPrebuilt(addon, platform);
}
