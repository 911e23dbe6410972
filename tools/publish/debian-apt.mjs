// Downloads from Debian with apt, without touching the lists of packages of this system.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = (type, path, suite) => `Types: ${type}
URIs: http://deb.debian.org/${path}
Suites: ${suite}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

/**
 * Returns a function that runs apt-get in `folder`, where downloads go, and knows Debian 12 only.
 *
 * @param type `deb`, or `deb-src` for sources
 * @param architecture Debian's name of a processor other than this machine's
 */
export function debianApt(folder, { type, architecture }) {
  for (const name of ['lists/partial', 'cache', 'sources'])
    mkdirSync(join(folder, name), { recursive: true });
  const sources = [
    source(type, 'debian', 'bookworm'),
    source(type, 'debian-security', 'bookworm-security'),
  ];
  writeFileSync(join(folder, 'sources/debian.sources'), sources.join('\n'));
  const settings = {
    'Dir::Etc::SourceList': '/dev/null',
    'Dir::Etc::SourceParts': join(folder, 'sources'),
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': 'root',
    ...(architecture && {
      'APT::Architecture': architecture,
      'APT::Architectures': architecture,
      'Dir::State::status': '/dev/null',
    }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return (...args) =>
    execFileSync('apt-get', [...options, '-qq', ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
}
