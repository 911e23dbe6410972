// Packs folders so that those of the same content have the same bytes: sorted, owned by root, with the time of the commit.
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, lutimesSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../publish/packages.mjs';

/** Returns the time of the commit that is checked out, in seconds; or SOURCE_DATE_EPOCH, where there is no repository. */
export function commitTime() {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH);
  const how = ['log', '-1', '--format=%ct'];
  return Number(execFileSync('git', how, { cwd: ROOT, encoding: 'utf8' }));
}

/** Sets one time on everything below a folder, and permissions that depend only on whether its owner may execute it. */
export function normalize(folder, seconds) {
  const { mode } = lstatSync(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) normalize(path, seconds);
    else {
      if (!entry.isSymbolicLink()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
      lutimesSync(path, seconds, seconds);
    }
  }
  chmodSync(folder, mode & 0o1000 ? mode : 0o755);
  lutimesSync(folder, seconds, seconds);
}

const TAR = [
  ...['--sort=name', '--format=ustar', '--owner=root:0', '--group=root:0', '--numeric-owner'],
  '--blocking-factor=20',
];

/** Writes a tar file with what `names`, below `folder`, are or have. Further options of GNU tar may follow. */
export function packTar(file, folder, names, seconds, options = []) {
  const how = [...TAR, `--mtime=@${seconds}`, ...options];
  execFileSync('tar', ['-cf', file, ...how, '-C', folder, ...names]);
}

/** Compresses a file with gzip, which every system has, and returns the new path. The file itself goes. */
export function compress(file) {
  const maxBuffer = 1024 ** 3;
  const packed = execFileSync('gzip', ['-9', '--no-name', '--stdout', file], { maxBuffer });
  writeFileSync(`${file}.gz`, packed);
  rmSync(file);
  return `${file}.gz`;
}

/** Packs a folder as `FOLDER.tar.gz` beside it, with its own name inside; returns the path. */
export function packFolder(folder, seconds) {
  normalize(folder, seconds);
  const file = `${folder}.tar`;
  packTar(file, dirname(folder), [basename(folder)], seconds);
  return compress(file);
}
