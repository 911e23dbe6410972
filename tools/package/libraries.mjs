// Finds the Debian packages whose shared libraries a compiled file loads.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';

/** Returns the output of a program; an empty text when it fails. */
function outputOf(program, args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout : '';
}

/** Returns the package that installed a file; undefined for any other file. */
function packageOf(path) {
  // Where /lib is a link to /usr/lib, dpkg may know the file by either name.
  const names = [path, realpathSync(path)].flatMap((name) => [name, name.replace(/^\/usr/, '')]);
  for (const name of names) {
    const owner = /^([a-z0-9.+-]+)/.exec(outputOf('dpkg-query', ['--search', name]))?.[1];
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/**
 * Returns a dependency for each package with libraries that the files load, for example `libc6 (>= 2.36)`. The versions are
 * those of this machine, without Debian's own part, so that the package installs where its code can run.
 */
export function librariesNeeded(files) {
  const paths = files.flatMap((file) =>
    [...outputOf('ldd', [file]).matchAll(/=> (\/\S+)/g)].map(([, path]) => path),
  );
  const packages = new Set([...new Set(paths)].map(packageOf).filter((name) => name !== undefined));
  return [...packages].sort().map((name) => {
    const installed = outputOf('dpkg-query', ['--show', '--showformat=${Version}', name]);
    return `${name} (>= ${installed.replace(/-[^-]*$/, '')})`;
  });
}
