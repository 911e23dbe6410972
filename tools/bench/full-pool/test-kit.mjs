// The signers of the test kit, which no package publishes: bundled from their sources when they are needed.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const CRYPTO = fileURLToPath(new URL('../../../packages/crypto', import.meta.url));
const PARTS = `
export { commit, encodeScalar, Fn, G, INV_EIGHT, proveBulletproofPlus, reduceScalar } from './src/testing/index.ts';
export { aggregationCoefficients } from './src/proofs/clsag-hashes.ts';
`;

/** Returns the functions that sign, from the sources of packages/crypto. */
export async function loadTestKit() {
  // Inside the package, so that the packages it needs are found.
  const dir = mkdtempSync(join(CRYPTO, 'dist/test-kit-'));
  const outfile = join(dir, 'index.mjs');
  try {
    await build({
      stdin: { contents: PARTS, resolveDir: CRYPTO, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
