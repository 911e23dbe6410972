// Deno and Bun, as the registry packages that hold their programs, and the examples that run on them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT } from './packages.mjs';
import { run } from './run.mjs';

/** The packages with programs for Linux on x64, and the arguments before the file to run. */
const RUNTIMES = [
  {
    name: 'Deno',
    package: '@deno/linux-x64-glibc@2.9.6',
    program: 'node_modules/@deno/linux-x64-glibc/deno',
    args: ['run', '--allow-all', '--node-modules-dir=manual', '--quiet'],
  },
  {
    name: 'Bun',
    package: '@oven/bun-linux-x64-baseline@1.4.4',
    program: 'node_modules/@oven/bun-linux-x64-baseline/bin/bun',
    args: ['run'],
  },
];

/** Returns Deno and Bun as { name, program, args }; installs them once. Those that cannot be installed are left out, with a line. */
export async function installRuntimes() {
  const found = [];
  for (const { package: specifier, ...runtime } of RUNTIMES) {
    const folder = join(OUTPUT, 'runtimes', runtime.name.toLowerCase());
    const program = join(folder, runtime.program);
    if (!existsSync(program)) {
      const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
      const { ok, output } = await run('npm', [...args, '--prefix', folder, specifier]);
      if (!ok || !existsSync(program)) {
        console.log(`skipped: ${runtime.name} cannot be installed\n${output}`);
        continue;
      }
    }
    found.push({ name: runtime.name, program, args: runtime.args });
  }
  return found;
}
