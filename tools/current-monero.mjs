// Installs the newest monerod, monero-wallet-rpc and xmrig that Debian has, beside those of this system, for the suites
// of apps/daemon-e2e with E2E_CURRENT=1.
//
//   node tools/current-monero.mjs [FOLDER]
//
// FOLDER defaults to MONERO_CURRENT or ~/.cache/monero-current. The programs are in FOLDER/bin; the last line of output is
// that path. Takes one to five minutes and 400 MB once, and needs root and a Debian system: the programs of Debian's unstable
// come with their own libraries, from the mirror that apt uses here. Ends with status 1 and one sentence where that
// is impossible.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = [
  'monerod',
  'monero-wallet-rpc',
  'monero-blockchain-import',
  'monero-blockchain-export',
  'xmrig',
];
const SOURCES = '/etc/apt/sources.list';
/** Longest that the download and installation may take, in milliseconds. */
const LONGEST = 300_000;

const folder =
  process.argv[2] ?? process.env.MONERO_CURRENT ?? join(homedir(), '.cache/monero-current');
const programs = join(folder, 'bin');

/** Ends with a sentence. */
function fail(sentence) {
  console.error(`current-monero: ${sentence}`);
  process.exit(1);
}

/** Returns the Debian mirror that apt uses; undefined without one. */
function mirror() {
  const parts = existsSync(`${SOURCES}.d`) ? readdirSync(`${SOURCES}.d`) : [];
  const files = [SOURCES, ...parts.map((name) => join(`${SOURCES}.d`, name))];
  const lines = files.filter(existsSync).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  return lines
    .map(
      (line) => /^(?:URIs:|deb(?: \[[^\]]*\])?)\s+(https?:\S+\/debian)\/?(?:\s|$)/.exec(line)?.[1],
    )
    .find((found) => found !== undefined);
}

/** Installs debootstrap if it is missing; whether it is there now. */
function hasDebootstrap() {
  const works = () => spawnSync('debootstrap', ['--version']).status === 0;
  if (works()) return true;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { env });
  spawnSync('apt-get', ['install', '-y', '-qq', 'debootstrap'], { env });
  return works();
}

/** Installs the packages into a root folder of their own. */
function bootstrap(root) {
  if (process.getuid?.() !== 0) fail('only root can install the current release');
  const source = mirror();
  if (source === undefined) fail('apt has no Debian mirror here');
  if (!hasDebootstrap()) fail('debootstrap cannot be installed');
  mkdirSync(folder, { recursive: true });
  rmSync(root, { recursive: true, force: true });
  const log = join(folder, 'install.log');
  const output = openSync(log, 'w');
  const { status } = spawnSync(
    'debootstrap',
    ['--variant=minbase', '--include=monero,xmrig', 'sid', root, source],
    { stdio: ['ignore', output, output], timeout: LONGEST },
  );
  closeSync(output);
  if (status !== 0)
    fail(`debootstrap failed: ${readFileSync(log, 'utf8').trim().split('\n').at(-1)}`);
}

/** Writes a script that runs the program with the libraries that came with it. */
function writeScript(root, program) {
  const libraries = readdirSync(join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu'));
  const loader = ['usr/lib64', 'usr/lib']
    .filter((name) => existsSync(join(root, name)))
    .flatMap((name) => readdirSync(join(root, name)).map((file) => join(root, name, file)))
    .find((file) => /\/ld-linux[^/]*\.so\.\d+$/.test(file));
  if (libraries === undefined || loader === undefined) fail('the installed system has no loader');
  const words = [loader, '--library-path', join(root, 'usr/lib', libraries)];
  const quoted = [...words, join(root, 'usr/bin', program)].map((word) => `'${word}'`).join(' ');
  const file = join(programs, program);
  writeFileSync(file, `#!/bin/sh\nexec ${quoted} "$@"\n`);
  chmodSync(file, 0o755);
}

if (!existsSync(join(programs, 'monerod'))) {
  const root = join(folder, 'root');
  bootstrap(root);
  mkdirSync(programs, { recursive: true });
  // monerod last: its presence says that the folder is complete
  for (const program of PROGRAMS.toReversed()) writeScript(root, program);
}
console.log(execFileSync(join(programs, 'monerod'), ['--version'], { encoding: 'utf8' }).trim());
console.log(programs);
