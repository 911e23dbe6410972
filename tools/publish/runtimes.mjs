// Node, Deno and Bun, as the registry packages that hold their programs.
import { installOnce } from './install-once.mjs';

/** The packages with programs for Linux on x64, and the arguments before the file to run. */
const RUNTIMES = [
  {
    name: 'Deno',
    specifier: '@deno/linux-x64-glibc@2.9.6',
    file: '@deno/linux-x64-glibc/deno',
    args: ['run', '--allow-all', '--node-modules-dir=manual', '--quiet'],
  },
  {
    name: 'Bun',
    specifier: '@oven/bun-linux-x64-baseline@1.4.4',
    file: '@oven/bun-linux-x64-baseline/bin/bun',
    args: ['run'],
  },
];

/** Node's oldest version that packages run on, and the newest of each line since. */
const NODE_VERSIONS = ['20.19.0', '22', '24', '26'];

const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** Installs a runtime once. Returns { name, program, args } or, where npm fails, its output as { name, failure }. */
async function install({ name, args, ...wanted }) {
  const folder = `runtimes/${name.toLowerCase().replace(' ', '-')}`;
  const { ok, path, output } = await installOnce({ folder, ...wanted });
  return ok ? { name, program: path, args } : { name, failure: output };
}

/** Returns Deno and Bun as { name, program, args }; installs them once. Those that cannot be installed are left out, with a line. */
export async function installRuntimes() {
  const found = [];
  for (const each of RUNTIMES) {
    const { failure, ...runtime } = await install(each);
    if (failure === undefined) found.push(runtime);
    else console.log(`skipped: ${runtime.name} cannot be installed\n${failure}`);
  }
  return found;
}

/** Returns the versions of Node as { name, program, args }; installs them once. Throws Error when one cannot be installed. */
export async function installNodes() {
  const found = [];
  for (const version of NODE_VERSIONS) {
    const { failure, ...runtime } = await install({
      name: `Node ${version}`,
      specifier: `${NODE_PACKAGE}@${version}`,
      file: `${NODE_PACKAGE}/bin/node`,
      args: [],
    });
    if (failure !== undefined) throw new Error(`${runtime.name} cannot be installed\n${failure}`);
    found.push(runtime);
  }
  return found;
}
