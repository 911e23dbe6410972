// Makes a Debian package of the daemon, for this architecture, in dist/. Run it by `npm run package:deb` in a checkout that
// is set up; it needs dpkg-deb and no network.
//
//   node tools/package-deb.mjs [--version V] [--out FOLDER] [--compression xz|gzip|none]
//
// The last line of output is the path of the package.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { librariesNeeded } from './package/libraries.mjs';
import { copyProductionModules, filesBelow } from './package/production-modules.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version: ownVersion, engines } = JSON.parse(
  readFileSync(join(root, 'apps/daemon/package.json'), 'utf8'),
);
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64', arm: 'armhf', riscv64: 'riscv64' };
const PROGRAMS = { 'monero-node': 'main.js', 'monero-node-chain': 'chain-tool.js' };
const CONFFILES = ['/etc/monero-node/monero-node.conf', '/etc/logrotate.d/monero-node'];

const { values } = parseArgs({
  options: {
    version: { type: 'string', default: ownVersion },
    out: { type: 'string', default: join(root, 'dist') },
    compression: { type: 'string', default: 'xz' },
  },
});

/** Ends with a sentence. */
function fail(sentence) {
  console.error(`package-deb: ${sentence}`);
  process.exit(1);
}

/** Writes a file of the package, with the permissions that all users need. */
function write(tree, path, content, mode = 0o644) {
  const file = join(tree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

const deploy = (path) => readFileSync(join(root, 'deploy', path));

/** Puts everything below `tree` that the package installs. */
function fill(tree) {
  copyProductionModules(root, join(tree, 'usr/lib/monero-node'));
  const launcher = deploy('debian/launcher.sh').toString();
  for (const [name, program] of Object.entries(PROGRAMS)) {
    write(tree, join('usr/bin', name), launcher.replace('@PROGRAM@', program), 0o755);
  }
  write(tree, 'usr/lib/systemd/system/monero-node.service', deploy('systemd/monero-node.service'));
  for (const name of Object.keys(PROGRAMS)) {
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
  write(tree, 'etc/monero-node/monero-node.conf', deploy('debian/monero-node.conf'));
  write(tree, 'etc/logrotate.d/monero-node', deploy('logrotate/monero-node'));
  write(tree, 'usr/share/doc/monero-node/copyright', readFileSync(join(root, 'LICENSE')));
}

/** Returns the fields that dpkg reads. */
function control(tree, files, architecture) {
  const bytes = files.reduce((sum, file) => sum + statSync(join(tree, file)).size, 0);
  const least = engines.node.replace('>=', '').trim();
  const addons = files.filter((file) => /@monero-node\/.*\.node$/.test(file));
  const libraries = librariesNeeded(addons.map((file) => join(tree, file)));
  return `Package: monero-node
Version: ${values.version}
Architecture: ${architecture}
Maintainer: monero-node contributors <monero-node@localhost>
Section: net
Priority: optional
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: ${[`nodejs (>= ${least}~)`, 'adduser', ...libraries].join(', ')}
Recommends: systemd, logrotate
Description: Monero full node
 Downloads the chain of Monero from other nodes, verifies every block and
 serves wallets and other nodes.
`;
}

/** Writes what dpkg reads: fields, checksums, files of the administrator, and programs run at installation and removal. */
function describe(tree, architecture) {
  const files = filesBelow(tree);
  write(tree, 'DEBIAN/control', control(tree, files, architecture));
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

if (spawnSync('dpkg-deb', ['--version']).error) fail('dpkg-deb is not installed');
const architecture = ARCHITECTURES[process.arch] ?? fail(`no Debian name for ${process.arch}`);
const scratch = mkdtempSync(join(tmpdir(), 'package-deb-'));
try {
  const tree = join(scratch, 'tree');
  process.umask(0o022);
  fill(tree);
  // Installed modules may have narrower permissions.
  execFileSync('chmod', ['-R', 'a+rX,go-w', tree]);
  describe(tree, architecture);
  mkdirSync(values.out, { recursive: true });
  const file = resolve(values.out, `monero-node_${values.version}_${architecture}.deb`);
  const how = ['--root-owner-group', `-Z${values.compression}`];
  execFileSync('dpkg-deb', ['--build', ...how, tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(file);
} catch (error) {
  fail(error.message);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
