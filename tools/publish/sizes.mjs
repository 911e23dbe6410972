// Measures what a stranger pays for a package: bytes on disk, scripts and time of the first import, bytes of a bundle.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { run } from './run.mjs';

const MEGABYTE = 1_000_000;
const IMPORTS = 3;

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

/** Returns the paths of all files below a folder. */
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Returns the number of bytes below a folder. */
export const bytesBelow = (folder) =>
  filesBelow(folder).reduce((sum, file) => sum + statSync(file).size, 0);

/** Returns the number of packages and of bytes below a project's node_modules. */
export function installedSize(project) {
  const folder = join(project, 'node_modules');
  const packages = filesBelow(folder).filter((file) =>
    /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file),
  );
  const lock = statSync(join(folder, '.package-lock.json'), { throwIfNoEntry: false });
  return { packages: packages.length, bytes: bytesBelow(folder) - (lock?.size ?? 0) };
}

/** Returns a program that imports a package, prints the milliseconds of that and ends. */
const importing = (name) =>
  `const start = performance.now(); await import('${name}'); console.log(performance.now() - start); process.exit();`;

/** Returns how many scripts, modules of both kinds, the first import of a package loads. Throws Error when it cannot be imported. */
export async function loadedScripts(project, name) {
  const folder = mkdtempSync(join(tmpdir(), 'monero-node-scripts-'));
  try {
    const args = ['--input-type=module', '--eval', importing(name)];
    const env = { NODE_V8_COVERAGE: folder };
    const { ok, output } = await run(process.execPath, args, { cwd: project, env });
    if (!ok) throw new Error(`${name} cannot be imported\n${output}`);
    const urls = filesBelow(folder).flatMap((file) =>
      JSON.parse(readFileSync(file, 'utf8')).result.map(({ url }) => url),
    );
    return new Set(urls.filter((url) => url.startsWith('file:'))).size;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the milliseconds that fresh processes take to import a package: the median of an odd number of runs. Throws Error when it cannot be
 * imported.
 *
 * @param options.node the program of Node that runs it
 */
export async function importTime(project, name, { runs = IMPORTS, node = process.execPath } = {}) {
  const times = [];
  for (let i = 0; i < runs; i++) {
    const args = ['--input-type=module', '--eval', importing(name)];
    const { ok, output, stdout } = await run(node, args, { cwd: project });
    if (!ok) throw new Error(`${name} cannot be imported\n${output}`);
    times.push(Number(stdout));
  }
  return times.sort((a, b) => a - b)[(runs - 1) / 2];
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
