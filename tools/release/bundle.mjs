// Bundles the daemon's scripts and those of its dependencies into few files. The result has the places of an installation below
// node_modules, so that what the scripts find by URL or by name (workers, addons, data, package.json) is where they look.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { NOT_NEEDED, productionPackages } from '../package/production-modules.mjs';
import { readJson, ROOT } from '../publish/packages.mjs';

const SCOPE = '@monero-node';
/** Scripts that a process or a thread begins with, by package. */
const ENTRIES = {
  daemon: ['dist/main.js', 'dist/chain-tool.js'],
  crypto: ['dist/pool/worker.js'],
  fcmp: ['dist/verifier.js'],
  pow: ['dist/cryptonight/worker.js', 'dist/randomx-wasm/worker.js'],
  rpc: ['dist/workers/worker-main.js'],
};
/** Files that are read at run time, by package. */
const DATA = { consensus: ['data'], dashboard: ['dist/page'] };
/** Copied whole, with its dependencies: it looks for its addon beside itself. */
const UNBUNDLED = 'lmdb';
/** Optional packages with addons for one platform, and a package that only compiling needs. */
const COMPILED_ELSEWHERE = /(^|\/)(@lmdb\/|@msgpackr-extract\/|msgpackr-extract$|node-addon-api$)/;
/** Parts of those packages that no running program reads: sources, tests, settings of builds. */
const UNUSED = [
  ...['node_modules', 'src', 'dependencies', 'deps', 'bin', 'test', 'tests'],
  ...['benchmark', 'assets', 'dict', 'rollup.config.js', 'binding.gyp'],
];
/** Faster code for WebSockets, which `ws` looks for and this project does not install. */
const ABSENT = ['bufferutil', 'utf-8-validate'];
/** esbuild turns `require` of CommonJS modules into this one. */
const BANNER =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

const folderOf = (name) => join(ROOT, name === 'daemon' ? 'apps' : 'packages', name);

/** Returns an expression for the URL that a module would have in an installation, wherever its code ends up. */
const placed = (path) =>
  `(import.meta.url.replace(/^(.*[/])node_modules[/]${SCOPE}[/].*$/, '$1node_modules/${path}'))`;

/** Replaces `import.meta.url` in each module of this workspace by the URL of its place in an installation. */
const keepPlaces = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8');
      const inside = relative(ROOT, path).split(sep);
      const isOurs = ['apps', 'packages'].includes(inside[0]);
      if (!isOurs || !contents.includes('import.meta.url')) return undefined;
      const place = [SCOPE, ...inside.slice(1)].join('/');
      return { contents: contents.replaceAll('import.meta.url', placed(place)), loader: 'js' };
    });
  },
};

/** Returns the modules of others among `paths` that ask for their own place, which a bundle changes. */
function displaced(paths) {
  return paths.filter((path) => {
    if (!path.startsWith('node_modules/')) return false;
    return /\bimport\.meta\.(url|dirname|filename|resolve)\b|\b__(dirname|filename)\b/.test(
      readFileSync(join(ROOT, path), 'utf8'),
    );
  });
}

/** Copies what the packages of this workspace need besides scripts, into `modules`. */
function copyPackageFiles(modules, names) {
  for (const name of names) {
    const target = join(modules, SCOPE, name);
    mkdirSync(target, { recursive: true });
    const manifest = readJson(join(folderOf(name), 'package.json'));
    const kept = ['name', 'version', 'license', 'type', 'exports'].map((field) => [
      field,
      manifest[field],
    ]);
    writeFileSync(
      join(target, 'package.json'),
      `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`,
    );
    for (const path of DATA[name] ?? [])
      cpSync(join(folderOf(name), path), join(target, path), { recursive: true });
  }
}

/** Copies the packages that are not bundled into `modules`; returns their folders, relative to the root. */
function copyUnbundled(modules) {
  const start = { folder: join(ROOT, 'node_modules', UNBUNDLED), place: UNBUNDLED };
  const needed = [...productionPackages(ROOT, start)].filter(
    ([, place]) => !COMPILED_ELSEWHERE.test(place),
  );
  for (const [folder, place] of needed) {
    cpSync(folder, join(modules, place), {
      recursive: true,
      filter: (source) => {
        const path = relative(folder, source);
        const [first] = path.split(sep);
        return !NOT_NEEDED.test(path) && !first.startsWith('.') && !UNUSED.includes(first);
      },
    });
  }
  return needed.map(([folder]) => relative(ROOT, folder));
}

/**
 * Writes the scripts and the data to `target`/node_modules, without any addon. Returns the folders, relative to the root of the
 * workspace, of the packages of others whose code is in it, sorted.
 *
 * Throws Error when the daemon is not built, when a package is not installed, or when a module of others would look for files.
 */
export async function bundle(target) {
  if (!existsSync(join(ROOT, 'apps/daemon/dist/main.js')))
    throw new Error('the daemon is not built: run npm run setup');
  const modules = join(target, 'node_modules');
  const entryPoints = Object.entries(ENTRIES).flatMap(([name, scripts]) =>
    scripts.map((script) => ({
      in: join(folderOf(name), script),
      out: join(SCOPE, name, script.replace(/\.js$/, '')),
    })),
  );
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: modules,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    chunkNames: `${SCOPE}/chunks/[name]-[hash]`,
    legalComments: 'none',
    logLevel: 'error',
    banner: { js: BANNER },
    external: [UNBUNDLED, ...ABSENT],
    plugins: [keepPlaces],
  });
  const inputs = Object.keys(metafile.inputs).sort();
  const lost = displaced(inputs);
  if (lost.length > 0) throw new Error(`these modules look for files: ${lost.join(', ')}`);
  const ours = [...productionPackages(ROOT).values()]
    .filter((place) => place.startsWith(`${SCOPE}/`))
    .map((place) => place.slice(SCOPE.length + 1));
  copyPackageFiles(modules, ours);
  const bundled = inputs.filter((path) => path.startsWith('node_modules/')).map(packageFolder);
  return [...new Set([...bundled, ...copyUnbundled(modules)])].sort();
}

/** Returns the folder of the package that a path below node_modules belongs to. */
function packageFolder(path) {
  const at = path.lastIndexOf('node_modules/') + 'node_modules/'.length;
  const [first, second] = path.slice(at).split('/');
  return path.slice(0, at) + (first.startsWith('@') ? `${first}/${second}` : first);
}
