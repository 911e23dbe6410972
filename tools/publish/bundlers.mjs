// Bundles a page with the bundlers of web developers, in a project with installed packages, and runs the bundle.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from './install-once.mjs';
import { run } from './run.mjs';

/** What pages import: docs/reference/platforms.md has the same list. */
const FOR_BROWSERS = [
  ...['codec', 'consensus', 'crypto', 'crypto/curve', 'fcmp', 'keccak', 'p2p/levin', 'pow'],
  ...['rpc-client', 'rpc-client/watch', 'rpc-schema', 'wallet-primitives'],
];

/** A page that uses all of them, so that nothing is left out of the bundle; the first line that it prints is the number of packages. */
const PAGE = [
  ...FOR_BROWSERS.map((name, i) => `import * as m${i} from '@monero-node/${name}';`),
  `const modules = [${FOR_BROWSERS.map((_, i) => `m${i}`).join(', ')}];`,
  `if (modules.some((each) => Object.keys(each).length === 0)) throw new Error('empty');`,
  `const { createWasmBackend, runCheck } = m${FOR_BROWSERS.indexOf('crypto')};`,
  `const points = [new Uint8Array(32).fill(0x66).fill(0x58, 0, 1)];`,
  `const [isPoint] = runCheck(createWasmBackend(), { kind: 'points', points });`,
  `if (!isPoint) throw new Error('the base point is on the curve');`,
  `console.log(modules.length);`,
].join('\n');

/** Versions, the newest first; without --all only that one is tried. */
const BUNDLERS = [
  { name: 'vite', versions: ['8', '7', '6', '5'], file: 'vite/bin/vite.js', bundle: withVite },
  { name: 'webpack', versions: ['5'], file: 'webpack/package.json', bundle: withWebpack },
];

/** What Vite 8 says of its own speed on a busy machine. */
const TIMINGS = /^\[PLUGIN_TIMINGS\][\s\S]*?(?=^\[|(?![\s\S]))/gm;

/** Runs Vite's program. Returns the problems, as one text; what it warns of is one. */
async function withVite({ path, folder, output }) {
  const config = {
    base: './',
    worker: { format: 'es' },
    build: {
      outDir: output,
      target: 'es2022',
      // Sizes are measured by other checks.
      chunkSizeWarningLimit: 1e9,
      rollupOptions: { input: 'page.js', output: { entryFileNames: 'page.js' } },
    },
  };
  writeFileSync(join(folder, 'vite.config.js'), `export default ${JSON.stringify(config)};`);
  const args = [path, 'build', '--emptyOutDir', '--logLevel', 'warn'];
  const result = await run(process.execPath, args, { cwd: folder });
  return result.output.replace(TIMINGS, '').trim();
}

/** Runs webpack. Returns the problems, as one text; what it warns of is one. */
async function withWebpack({ path, folder, output }) {
  const webpack = createRequire(path)('webpack');
  const compiler = webpack({
    context: folder,
    mode: 'production',
    entry: './page.js',
    target: 'es2022',
    experiments: { outputModule: true },
    output: { path: output, filename: 'page.js', module: true, chunkFormat: 'module' },
    performance: false,
    cache: false,
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  return [...errors, ...warnings].map(({ message }) => message).join('\n');
}

/** Returns the problems of one bundler, as lines. */
async function check(project, { title, path, bundle }) {
  const folder = join(project, 'bundlers', title.replace(' ', '-'));
  const output = join(folder, 'out');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'page.js'), PAGE);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const problems = await bundle({ path, folder, output });
  const page = join(output, 'page.js');
  if (problems !== '' || !existsSync(page)) return [`${title}: ${problems || 'no page.js'}`];
  const { ok, stdout, output: printed } = await run(process.execPath, [page], { cwd: output });
  const isRight = ok && stdout.trim() === String(FOR_BROWSERS.length);
  return isRight ? [] : [`${title}: the bundle fails: ${printed}`];
}

/**
 * Bundles a page that imports all packages for browsers, and runs it. Returns the problems, as lines, and prints what was tried. A bundler
 * that cannot be installed is a problem.
 *
 * @param project folder with all packages installed
 * @param options.all whether to try older versions too
 */
export async function checkBundlers(project, { all }) {
  const problems = [];
  for (const { name, versions, file, bundle } of BUNDLERS) {
    for (const version of all ? versions : versions.slice(0, 1)) {
      const title = `${name} ${version}`;
      const start = performance.now();
      const { ok, path, output } = await installOnce({
        folder: `bundlers/${name}-${version}`,
        specifier: `${name}@${version}`,
        file,
      });
      const found = ok
        ? await check(project, { title, path, bundle })
        : [`${title} cannot be installed\n${output}`];
      problems.push(...found);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${title}: ${found.length} problems, ${seconds} s`);
    }
  }
  return problems;
}
