// Finds the tools that the native addons are built with: the compiler, Node's C headers and librandomx.
// Run as a program it prints them in one line, which is an input of the cached build targets: when
// librandomx is installed later, the cache does not keep the addon from being built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command of the C++ compiler. */
export const compiler = process.env.CXX ?? 'c++';

/** Returns the first line of the compiler's version, or undefined if there is no compiler. */
export const compilerVersion = () => {
  const { status, stdout } = spawnSync(compiler, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n', 1)[0] : undefined;
};

/** The folder of node_api.h, or undefined. */
export const nodeHeaders = [
  join(dirname(dirname(process.execPath)), 'include/node'),
  '/usr/include/node',
].find((folder) => existsSync(join(folder, 'node_api.h')));

/** Prefixes under which librandomx may be installed; when RANDOMX_PREFIX is set, only that one. */
export const PREFIXES = process.env.RANDOMX_PREFIX
  ? [process.env.RANDOMX_PREFIX]
  : ['/usr/local', '/opt/homebrew', '/usr'];

/** The prefix librandomx is installed under, or undefined. */
export const randomxPrefix = PREFIXES.find((folder) =>
  existsSync(join(folder, 'include/randomx.h')),
);

/** Returns one line that changes whenever a build of the addons could come out differently. */
export const toolchain = () =>
  [process.platform, process.arch, compilerVersion(), nodeHeaders, randomxPrefix]
    .map((part) => part ?? 'none')
    .join(' | ');

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(toolchain());
