// The release of Node that is in archives, packages and images: the binaries of its project, as the npm packages that the package
// `node` depends on have them. Node 26 is not taken: it needs libatomic, which small systems lack.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { downloadFromNpm } from './downloads.mjs';
import { TRIPLETS } from './platforms.mjs';

export const NODE_VERSION = '24.21.0';
export const NODE_INTEGRITY = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64:
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/**
 * Returns { node, license, headers } for a processor: the program without symbols for debuggers, the licenses of what it contains,
 * and the folder of Node's C headers. Downloads it unless that was done before.
 *
 * Throws Error when the tarball is not the one that this file names, or when binutils for the processor are missing.
 */
export function prepareRuntime(processor, downloads) {
  const tarball = downloadFromNpm({
    name: `node-linux-${processor}`,
    version: NODE_VERSION,
    integrity: NODE_INTEGRITY[processor],
    downloads,
  });
  const folder = join(downloads, `node-${NODE_VERSION}-${processor}`);
  const found = {
    node: join(folder, 'stripped'),
    license: join(folder, 'LICENSE'),
    headers: join(folder, 'include/node'),
  };
  if (existsSync(found.node)) return found;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const parts = ['bin/node', 'LICENSE', 'include'].map((path) => `package/${path}`);
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', ...parts]);
  const program = join(folder, 'bin/node');
  execFileSync(`${TRIPLETS[processor]}-strip`, ['-s', program]);
  // Last, and as a whole, because the next release takes a file of this name without a check.
  renameSync(program, found.node);
  rmSync(join(folder, 'bin'), { recursive: true });
  return found;
}
