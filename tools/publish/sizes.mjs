// Measures what a stranger pays for a package: bytes on disk, time of the first import, bytes of a bundle.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { run } from './run.mjs';

const MEGABYTE = 1_000_000;
const IMPORTS = 5;

/** Most bytes below node_modules, and most packages there. */
export const INSTALL_LIMITS = {
  '@monero-node/codec': { bytes: 1 * MEGABYTE },
  '@monero-node/rpc-client': { bytes: 3 * MEGABYTE },
  '@monero-node/crypto': { bytes: 4 * MEGABYTE },
  '@monero-node/fcmp': { bytes: 4 * MEGABYTE },
  '@monero-node/devnet': { packages: 60 },
};

/** Programs to bundle for browsers, with the most bytes after minifying and gzip. */
export const BUNDLES = [
  {
    name: 'parseTransaction',
    needs: '@monero-node/codec',
    // Today's formats and those of the next fork.
    bytes: 9_000,
    source: `import { parseTransaction } from '@monero-node/codec'; console.log(parseTransaction);`,
  },
  {
    name: 'verify with wasm',
    needs: '@monero-node/crypto',
    bytes: 70_000,
    source: `import { createWasmBackend, runCheck } from '@monero-node/crypto'; console.log(runCheck(createWasmBackend(), { kind: 'points', points: [] }));`,
  },
  {
    name: 'verifyTransaction with wasm',
    needs: '@monero-node/consensus',
    bytes: 65_000,
    source: `import { verifyTransaction } from '@monero-node/consensus'; import { createWasmBackend } from '@monero-node/crypto'; console.log(verifyTransaction, createWasmBackend());`,
  },
  {
    name: 'fetchRings',
    needs: '@monero-node/rpc-client',
    bytes: 30_000,
    source: `import { fetchRings, RpcClient } from '@monero-node/rpc-client'; console.log(fetchRings, RpcClient);`,
  },
];

/** Returns the number of packages and of bytes below a project's node_modules. */
export function installedSize(project) {
  const folder = join(project, 'node_modules');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file !== join(folder, '.package-lock.json'));
  const packages = files.filter((file) =>
    /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file),
  );
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return { packages: packages.length, bytes };
}

/** Returns the milliseconds that a fresh process takes to import a package, the best of a few. */
export async function importTime(project, name) {
  const program = `const start = performance.now(); await import('${name}'); console.log(performance.now() - start); process.exit();`;
  const times = [];
  for (let i = 0; i < IMPORTS; i++) {
    const args = ['--input-type=module', '--eval', program];
    const { ok, output, stdout } = await run(process.execPath, args, { cwd: project });
    if (!ok) throw new Error(`${name} cannot be imported\n${output}`);
    times.push(Number(stdout));
  }
  return Math.min(...times);
}

/** Returns the bytes of a program bundled for browsers, minified and compressed. Throws Error when it cannot be bundled. */
export async function bundleSize(project, { source }) {
  const entry = join(project, 'bundle-entry.js');
  writeFileSync(entry, source);
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
