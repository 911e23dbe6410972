// What the native addons are built with: compiler, Node's C headers and librandomx. Run as a program it prints what it
// found, which is an input of the cached build targets: installing librandomx later builds the addon, no cache keeps it
// away.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The C++ compiler's command. */
export const compiler = process.env.CXX ?? 'c++';

/** First line of the compiler's version, or undefined where there is none. */
export const compilerVersion = () => {
  const { status, stdout } = spawnSync(compiler, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n', 1)[0] : undefined;
};

/** Folder of node_api.h, or undefined. */
export const nodeHeaders = [
  join(dirname(dirname(process.execPath)), 'include/node'),
  '/usr/include/node',
].find((folder) => existsSync(join(folder, 'node_api.h')));

/** Where libraries are installed; RANDOMX_PREFIX alone counts when it is set. */
export const PREFIXES = process.env.RANDOMX_PREFIX
  ? [process.env.RANDOMX_PREFIX]
  : ['/usr/local', '/opt/homebrew', '/usr'];

/** The prefix librandomx is installed under, or undefined. */
export const randomxPrefix = PREFIXES.find((folder) =>
  existsSync(join(folder, 'include/randomx.h')),
);

/** One line that changes whenever a build of the addons could come out differently. */
export const toolchain = () =>
  [process.platform, process.arch, compilerVersion(), nodeHeaders, randomxPrefix]
    .map((part) => part ?? 'none')
    .join(' | ');

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(toolchain());
