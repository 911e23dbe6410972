// Makes all files of a release, in .release/VERSION. RELEASING.md says what a maintainer does before and after.
//
//   npm run release -- [--sign-key KEY] [--without image,npm,arm64] [--randomx FILE] [--keep-addons] [--dirty]
//
// Needs Debian 12 with the compilers g++ and g++-aarch64-linux-gnu, cmake, dpkg-deb and gpg, and the registries of npm and Debian;
// what it downloads is compared with digests in the repository. Two runs on one commit write the same bytes.
//
// --without leaves parts out (build: the scripts that are compiled already are taken), --keep-addons takes the addons that a run
// before compiled from the same sources, --randomx names a copy of RandomX's source, and --dirty allows changes that are not
// committed.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDeb } from './package/deb.mjs';
import { readJson, ROOT } from './publish/packages.mjs';
import { addons, PLATFORMS } from './publish/platforms.mjs';
import { isCurrent, prebuiltFile } from './publish/prebuilt.mjs';
import { packAll } from './publish/tarball.mjs';
import { makeArchive } from './release/archive.mjs';
import { bundle } from './release/bundle.mjs';
import { prepareBase } from './release/debian-base.mjs';
import { DOWNLOADS, RELEASES } from './release/downloads.mjs';
import { makeImage } from './release/image.mjs';
import { thirdPartyLicenses } from './release/licenses.mjs';
import { compileLmdb } from './release/lmdb.mjs';
import { nativeParts } from './release/native-parts.mjs';
import { notesFor } from './release/notes.mjs';
import { DEBIAN, LOADERS, PROCESSORS } from './release/platforms.mjs';
import { prepareRuntime } from './release/runtime.mjs';
import { commitTime } from './release/same-bytes.mjs';
import { makeSbom } from './release/sbom.mjs';
import { signSums, SUMS, writeSums } from './release/sums.mjs';
import { checkCompiled, makeTree } from './release/tree.mjs';

const PARTS = ['build', 'image', 'npm', ...PROCESSORS];
/** The largest archive and package of one processor, in bytes. */
const MOST_BYTES = 50e6;
/** Dependencies of the Debian packages, which the oldest systems that they install on meet. */
const DEPENDS = ['libc6 (>= 2.31)', 'libgcc-s1', 'libstdc++6 (>= 10)'];

const { values } = parseArgs({
  options: {
    'sign-key': { type: 'string' },
    without: { type: 'string', default: '' },
    randomx: { type: 'string' },
    'keep-addons': { type: 'boolean', default: false },
    dirty: { type: 'boolean', default: false },
  },
});
const without = values.without.split(',').filter((part) => part !== '');
const processors = PROCESSORS.filter((processor) => !without.includes(processor));
const { version } = readJson(join(ROOT, 'package.json'));
const seconds = commitTime();
const folder = join(RELEASES, version);

/** Ends with a sentence. */
function fail(sentence) {
  console.error(`release: ${sentence}`);
  process.exit(1);
}

function step(text) {
  console.log(`release: ${text}`);
}

function run(program, ...args) {
  execFileSync(program, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const platformOf = (processor) =>
  PLATFORMS.find(({ os, cpu }) => os === 'linux' && cpu === processor);

/** Compiles the addons of this workspace for the processors, unless those of a run before are to be kept. */
function compileAddons() {
  for (const processor of processors) {
    const isKept = addons().every((addon) => isCurrent(addon, platformOf(processor)));
    if (values['keep-addons'] && isKept) continue;
    step(`compiling addons for ${processor}`);
    const randomx = values.randomx === undefined ? [] : ['--randomx', values.randomx];
    run(process.execPath, 'tools/build-prebuilt.mjs', '--arch', processor, ...randomx);
  }
}

/** Makes the folder with Node, the daemon and its addons for a processor; returns its path. */
function prepareTree(processor, scripts, scratch) {
  const { node, headers } = prepareRuntime(processor, DOWNLOADS);
  const lmdb = join(RELEASES, 'lmdb', `lmdb-${processor}.node`);
  if (!values['keep-addons'] || !existsSync(lmdb)) {
    step(`compiling LMDB for ${processor}`);
    compileLmdb(processor, headers, lmdb);
  }
  const target = join(scratch, `tree-${processor}`);
  const addonFile = (addon) => prebuiltFile(addon, platformOf(processor));
  makeTree({ target, scripts, node, lmdb, addonFile });
  for (const [path, needed] of checkCompiled(target))
    console.log(`  ${processor} ${path}: ${needed.join(', ')}`);
  return target;
}

/** Makes the archive and the Debian package of a processor. */
function packProcessor(processor, tree, licenses, scratch) {
  step(`packing for ${processor}`);
  const archive = makeArchive({ tree, processor, version, licenses, folder: scratch, seconds });
  copyFileSync(archive, join(folder, basename(archive)));
  rmSync(archive);
  makeDeb({
    scratch: join(scratch, `deb-${processor}`),
    lib: tree,
    loader: LOADERS[processor],
    architecture: DEBIAN[processor],
    version,
    compression: 'xz',
    seconds,
    folder,
    depends: DEPENDS,
    copyright: `${readFileSync(join(ROOT, 'LICENSE'))}\n${licenses}`,
  });
}

function packNpm() {
  step('packing for npm');
  for (const { file } of packAll()) copyFileSync(file, join(folder, basename(file)));
}

function writeDocuments(packages) {
  const { title, text } = notesFor(version, readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
  if (!title.startsWith(version))
    step(`CHANGELOG.md has no entry for ${version}: the notes are those of "${title}"`);
  const notes = `# monero-node ${version}\n\n${text}\n`;
  const write = (name, content) => writeFileSync(join(folder, name), content);
  write('RELEASE-NOTES.md', notes);
  const natives = nativeParts(DOWNLOADS);
  write(`monero-node-${version}.cdx.json`, makeSbom({ version, packages, natives, seconds }));
  const licenses = thirdPartyLicenses(packages, natives);
  write('THIRD-PARTY-LICENSES', licenses);
  return licenses;
}

/** Prints the sizes, and returns the names of archives and Debian packages that are too large. */
function printSizes() {
  return readdirSync(folder).filter((name) => {
    const { size } = statSync(join(folder, name));
    if (!name.endsWith('.tgz')) console.log(`  ${(size / 1e6).toFixed(1).padStart(7)} MB  ${name}`);
    return /\.(deb|tar\.gz)$/.test(name) && size > MOST_BYTES;
  });
}

for (const part of without)
  if (!PARTS.includes(part)) fail(`no part "${part}": ${PARTS.join(', ')}`);
if (!values.dirty && git('status', '--porcelain') !== '')
  fail('there are changes that are not committed: commit them, or add --dirty for a try');
const scratch = mkdtempSync(join(tmpdir(), 'release-'));
process.umask(0o022);
try {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  step(`${version}, commit ${git('rev-parse', '--short', 'HEAD')}, in ${folder}`);
  if (!without.includes('build')) {
    run('npm', 'run', '--silent', 'setup');
    // With the types that packages for npm have.
    run('npm', 'run', '--silent', 'build');
  }
  compileAddons();
  step('bundling scripts');
  const scripts = join(scratch, 'scripts');
  const packages = await bundle(scripts);
  const trees = Object.fromEntries(
    processors.map((processor) => [processor, prepareTree(processor, scripts, scratch)]),
  );
  const licenses = writeDocuments(packages);
  for (const processor of processors) packProcessor(processor, trees[processor], licenses, scratch);
  if (!without.includes('image')) {
    step('writing the image');
    const base = processors.map((processor) => [processor, prepareBase(processor, DOWNLOADS)]);
    makeImage({
      trees,
      packages: Object.fromEntries(base),
      version,
      licenses,
      folder,
      scratch,
      seconds,
    });
  }
  if (!without.includes('npm')) packNpm();
  writeSums(folder);
  const tooLarge = printSizes();
  if (tooLarge.length > 0)
    throw new Error(`larger than ${MOST_BYTES / 1e6} MB: ${tooLarge.join(', ')}`);
  if (values['sign-key'] === undefined)
    step(`${SUMS} is not signed, because no --sign-key was given`);
  else step(`signed: ${signSums(folder, values['sign-key'])}`);
} catch (error) {
  fail(error.message);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
