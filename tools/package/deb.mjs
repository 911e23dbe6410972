// Makes a Debian package from a folder with Node, the daemon and its addons. Needs dpkg-deb.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../publish/packages.mjs';
import { launcher, PROGRAMS } from '../release/launcher.mjs';
import { normalize } from '../release/same-bytes.mjs';
import { filesBelow } from './production-modules.mjs';

const CONFFILES = ['/etc/monero-node/monero-node.conf', '/etc/logrotate.d/monero-node'];
const deploy = (path) => readFileSync(join(ROOT, 'deploy', path));

/** Writes a file of the package, with the permissions that all users need. */
function write(tree, path, content, mode = 0o644) {
  const file = join(tree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

/** Puts everything below `tree` that the package installs, except for `usr/lib/monero-node`. */
function fill(tree, loader, copyright) {
  for (const name of Object.keys(PROGRAMS)) {
    write(tree, join('usr/bin', name), launcher(name, '../lib/monero-node', loader), 0o755);
    const page = gzipSync(deploy(`man/${name}.1`), { level: 9 });
    write(tree, `usr/share/man/man1/${name}.1.gz`, page);
    const completions = {
      [`bash-completion/completions/${name}`]: `${name}.bash`,
      [`zsh/vendor-completions/_${name}`]: `_${name}`,
      [`fish/vendor_completions.d/${name}.fish`]: `${name}.fish`,
    };
    for (const [path, file] of Object.entries(completions)) {
      write(tree, join('usr/share', path), deploy(join('completions', file)));
    }
  }
  write(tree, 'usr/lib/systemd/system/monero-node.service', deploy('systemd/monero-node.service'));
  write(tree, 'etc/monero-node/monero-node.conf', deploy('debian/monero-node.conf'));
  write(tree, 'etc/logrotate.d/monero-node', deploy('logrotate/monero-node'));
  write(tree, 'usr/share/doc/monero-node/copyright', copyright);
}

/** Returns the fields that dpkg reads. */
function control(tree, files, { version, architecture, depends }) {
  const bytes = files.reduce((sum, file) => sum + statSync(join(tree, file)).size, 0);
  return `Package: monero-node
Version: ${version}
Architecture: ${architecture}
Maintainer: monero-node contributors <monero-node@localhost>
Section: net
Priority: optional
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: ${[...depends, 'passwd'].join(', ')}
Recommends: systemd, logrotate
Description: Monero full node
 Downloads the chain of Monero from other nodes, verifies every block and
 serves wallets and other nodes.
`;
}

/** Writes what dpkg reads: fields, checksums, files of the administrator, and programs run at installation and removal. */
function describe(tree, fields) {
  const files = filesBelow(tree);
  write(tree, 'DEBIAN/control', control(tree, files, fields));
  const digest = (file) =>
    createHash('md5')
      .update(readFileSync(join(tree, file)))
      .digest('hex');
  const sums = files.filter((file) => !file.startsWith('etc/'));
  write(tree, 'DEBIAN/md5sums', sums.map((file) => `${digest(file)}  ${file}\n`).join(''));
  write(tree, 'DEBIAN/conffiles', CONFFILES.map((file) => `${file}\n`).join(''));
  for (const name of ['postinst', 'prerm', 'postrm']) {
    write(tree, join('DEBIAN', name), deploy(join('debian', name)), 0o755);
  }
}

/**
 * Makes `monero-node_VERSION_ARCHITECTURE.deb` in `folder` and returns its path. Packages of the same content have the same bytes.
 *
 * @param scratch an empty folder, which is filled
 * @param lib what goes to /usr/lib/monero-node
 * @param loader path of the C library's loader, or undefined to look for none
 * @param depends dependencies in the form of Debian
 * @param seconds the time that all files get
 */
export function makeDeb({
  scratch,
  lib,
  loader,
  copyright,
  folder,
  seconds,
  compression,
  ...fields
}) {
  const tree = join(scratch, 'tree');
  cpSync(lib, join(tree, 'usr/lib/monero-node'), { recursive: true });
  fill(tree, loader, copyright);
  describe(tree, fields);
  normalize(tree, seconds);
  const file = join(folder, `monero-node_${fields.version}_${fields.architecture}.deb`);
  mkdirSync(folder, { recursive: true });
  const how = ['--root-owner-group', `-Z${compression}`];
  execFileSync('dpkg-deb', ['--build', ...how, tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Threads split what is compressed at other places.
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds), DPKG_DEB_THREADS_MAX: '1' },
  });
  return file;
}
