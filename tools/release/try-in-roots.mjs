// Tries the archive and the Debian package of a release, for this machine's processor, in bare roots of Debian releases: they start
// a node, which makes a block, stop, upgrade and leave, with no other package installed and no network. Needs root and debootstrap.
//
//   node tools/release/try-in-roots.mjs [--suites bullseye,bookworm,trixie] [--forms archive,deb] [--mirror URL]
//
// The roots are kept in .release/roots. A root of another system is made there before, for example Ubuntu 24.04 for --suites noble:
//
//   debootstrap --variant=minbase noble .release/roots/noble MIRROR gutsy
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readJson, ROOT } from '../publish/packages.mjs';
import { RELEASES } from './downloads.mjs';
import { DEBIAN } from './platforms.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
/** Mounts what a program expects, in name spaces that end with it; only the loopback interface is there. */
const ENTER = `
ip link set lo up
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
shift_root=$1; shift
exec chroot "$shift_root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
`;

const { values } = parseArgs({
  options: {
    suites: { type: 'string', default: 'bullseye,bookworm,trixie' },
    forms: { type: 'string', default: 'archive,deb' },
    mirror: { type: 'string' },
  },
});

/** Returns a bare root of a Debian release, which is made when it is not there. */
function bareRoot(suite) {
  const root = join(RELEASES, 'roots', suite);
  if (existsSync(join(root, 'usr/bin/dpkg')) && !existsSync(join(root, 'debootstrap'))) return root;
  console.log(`${suite}: making a root`);
  mkdirSync(root, { recursive: true });
  const mirror = values.mirror === undefined ? [] : [values.mirror];
  execFileSync('debootstrap', ['--variant=minbase', suite, root, ...mirror], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return root;
}

/** Makes a package of a later version from another one; returns its path. */
function nextPackage(deb, folder) {
  const tree = join(folder, 'next');
  execFileSync('dpkg-deb', ['--raw-extract', deb, tree]);
  const control = join(tree, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^(Version: .*)$/m, '$1+next'));
  const file = join(folder, 'next.deb');
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', tree, file], {
    stdio: 'ignore',
  });
  rmSync(tree, { recursive: true });
  return file;
}

/** Runs the check in a copy of a root; returns whether it passed. */
function check(suite, scratch, how, files) {
  const root = join(scratch, `${suite}-${how}`);
  execFileSync('cp', ['--archive', '--reflink=auto', bareRoot(suite), root]);
  const put = (file) => {
    mkdirSync(join(root, 'check'), { recursive: true });
    copyFileSync(file, join(root, 'check', basename(file)));
    return join('/check', basename(file));
  };
  for (const name of ['first-block.mjs', 'check-in-root.sh']) put(join(HERE, name));
  const spaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child'];
  const command = ['/bin/sh', '/check/check-in-root.sh', how, ...files.map(put)];
  const { status } = spawnSync('unshare', [...spaces, 'sh', '-ec', ENTER, 'sh', root, ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 1_200_000,
  });
  rmSync(root, { recursive: true });
  console.log(`${suite}, ${how}: ${status === 0 ? 'passed' : 'FAILED'}`);
  return status === 0;
}

const { version } = readJson(join(ROOT, 'package.json'));
const archive = join(RELEASES, version, `monero-node-${version}-linux-${process.arch}.tar.gz`);
const deb = join(RELEASES, version, `monero-node_${version}_${DEBIAN[process.arch]}.deb`);
const scratch = mkdtempSync(join(tmpdir(), 'release-roots-'));
/** Returns the files that the check of a form needs. */
const FILES = { archive: () => [archive], deb: () => [deb, nextPackage(deb, scratch)] };
try {
  const failed = values.forms.split(',').flatMap((form) => {
    const files = FILES[form]();
    console.log(`${(statSync(files[0]).size / 1e6).toFixed(1)} MB  ${basename(files[0])}`);
    return values.suites.split(',').filter((suite) => !check(suite, scratch, form, files));
  });
  if (failed.length > 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
