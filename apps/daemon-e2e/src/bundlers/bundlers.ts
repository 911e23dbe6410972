// Bundles a page with what web developers use, from the packages as they are built.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build as esbuild, transform } from 'esbuild';
import webpack from 'webpack';

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const HTML = '<!doctype html><body><script type="module" src="./page.js"></script>';

/** Makes a folder with index.html and page.js, as a stranger's project has it. `page` is TypeScript. */
export async function createWebProject(folder: string, page: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { code } = await transform(readFileSync(page, 'utf8'), { loader: 'ts', target: 'es2022' });
  writeFileSync(join(folder, 'page.js'), code);
  writeFileSync(join(folder, 'index.html'), HTML);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  symlinkSync(MODULES, join(folder, 'node_modules'));
}

/** Workers by the path at which the packages look for them, relative to the page. esbuild bundles none by itself. */
const WORKERS = {
  worker: '@monero-node/crypto/worker',
  'cryptonight/worker': '@monero-node/pow/cryptonight-worker',
  'randomx-wasm/worker': '@monero-node/pow/randomx-worker',
};

async function withEsbuild(folder: string, output: string): Promise<void> {
  await esbuild({
    absWorkingDir: folder,
    entryPoints: { page: './page.js', ...WORKERS },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: output,
    logLevel: 'silent',
  });
  writeFileSync(join(output, 'index.html'), HTML);
}

/** Runs Vite as a program: its own bundler does not know the objects of Jest's realm. */
async function withVite(folder: string, output: string): Promise<void> {
  const config = { worker: { format: 'es' }, build: { outDir: output, target: 'es2022' } };
  writeFileSync(join(folder, 'vite.config.js'), `export default ${JSON.stringify(config)};`);
  const vite = createRequire(import.meta.url).resolve('vite/package.json');
  const args = [join(dirname(vite), 'bin/vite.js'), 'build', '--emptyOutDir', '--logLevel', 'warn'];
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  if (stderr !== '') throw new Error(stderr);
}

async function withWebpack(folder: string, output: string): Promise<void> {
  const compiler = webpack({
    context: folder,
    mode: 'production',
    entry: './page.js',
    output: { path: output, filename: 'page.js' },
    target: ['web', 'es2022'],
    // Its cache would outlive the test.
    cache: false,
  });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    compiler.run((error, result) => (error ? reject(error) : resolve(result)));
  });
  await new Promise<void>((resolve) => compiler.close(() => resolve()));
  const problems = stats?.toJson({ all: false, errors: true, warnings: true });
  const messages = [...(problems?.errors ?? []), ...(problems?.warnings ?? [])]
    .map(({ message }) => message)
    // Sizes are measured by publish:check, and how the page is split is not the question.
    .filter((message) => !/size limit|code splitting|performance recommendations/.test(message));
  if (messages.length > 0) throw new Error(messages.join('\n'));
  writeFileSync(join(output, 'index.html'), HTML.replace(' type="module"', ''));
}

/** The bundlers. Each writes a site to `output` and throws Error when the packages do not fit it. */
export const BUNDLERS: readonly (readonly [
  string,
  (folder: string, output: string) => Promise<void>,
])[] = [
  ['esbuild', withEsbuild],
  ['Vite', withVite],
  ['webpack', withWebpack],
];

/** Bundles a program for Node into one file, with everything that it imports. */
export async function bundleForNode(program: string, output: string): Promise<void> {
  await esbuild({
    stdin: { contents: program, resolveDir: dirname(MODULES), loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile: output,
    logLevel: 'silent',
  });
}
