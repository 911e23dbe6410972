// Makes the archive that runs wherever it is unpacked.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../publish/packages.mjs';
import { launcher, PROGRAMS } from './launcher.mjs';
import { LOADERS } from './platforms.mjs';
import { packFolder } from './same-bytes.mjs';

/** Returns [source below deploy/, target below share/] of the manuals, completions and the unit. */
function shared() {
  const ofProgram = (name) => [
    [`man/${name}.1`, `man/man1/${name}.1`],
    [`completions/${name}.bash`, `bash-completion/completions/${name}`],
    [`completions/_${name}`, `zsh/site-functions/_${name}`],
    [`completions/${name}.fish`, `fish/vendor_completions.d/${name}.fish`],
  ];
  return [
    ...Object.keys(PROGRAMS).flatMap(ofProgram),
    ['systemd/monero-node.service', 'systemd/monero-node.service'],
    ['debian/monero-node.conf', 'systemd/monero-node.conf'],
  ];
}

/** Makes `monero-node-VERSION-linux-PROCESSOR.tar.gz` in a folder from a tree of `makeTree`; returns its path. */
export function makeArchive({ tree, processor, version, licenses, folder, seconds }) {
  const target = join(folder, `monero-node-${version}-linux-${processor}`);
  const write = (path, content, mode = 0o644) => {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), content, { mode });
  };
  mkdirSync(target, { recursive: true });
  cpSync(tree, join(target, 'lib'), { recursive: true });
  for (const program of Object.keys(PROGRAMS))
    write(program, launcher(program, 'lib', LOADERS[processor]), 0o755);
  for (const [source, place] of shared())
    write(join('share', place), readFileSync(join(ROOT, 'deploy', source)));
  const readme = readFileSync(join(ROOT, 'deploy/archive/README.txt'), 'utf8');
  write('README.txt', readme.replace('@VERSION@', version).replace('@PROCESSOR@', processor));
  write('LICENSE', readFileSync(join(ROOT, 'LICENSE')));
  write('THIRD-PARTY-LICENSES', licenses);
  return packFolder(target, seconds);
}
