// Finds the tools for building the native addons: the compiler, Node's C headers and librandomx. Run as a
// program it prints them in one line, which is an input of the cached build targets, so that the addon is built
// when librandomx is installed later.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the command of the C++ compiler. */
export const compiler = process.env.CXX ?? 'c++';

/** Returns the first line of the compiler's version, or undefined if there is no compiler. */
export const compilerVersion = () => {
  const { status, stdout } = spawnSync(compiler, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n', 1)[0] : undefined;
};

/** Returns the folder of node_api.h, or undefined. */
export const nodeHeaders = [
  join(dirname(dirname(process.execPath)), 'include/node'),
  '/usr/include/node',
].find((folder) => existsSync(join(folder, 'node_api.h')));

/** Returns the prefixes under which librandomx may be installed; only RANDOMX_PREFIX when that is set. */
export const PREFIXES = process.env.RANDOMX_PREFIX
  ? [process.env.RANDOMX_PREFIX]
  : ['/usr/local', '/opt/homebrew', '/usr'];

/** Returns the prefix under which librandomx is installed, or undefined. */
export const randomxPrefix = PREFIXES.find((folder) =>
  existsSync(join(folder, 'include/randomx.h')),
);

/** Returns a line that changes whenever the build of the addons could have a different result. */
export const toolchain = () =>
  [process.platform, process.arch, compilerVersion(), nodeHeaders, randomxPrefix]
    .map((part) => part ?? 'none')
    .join(' | ');

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(toolchain());
