// Builds the page to dist/page: one script, one style sheet, the document and a list of them. `node build.mjs` here.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const output = here('dist/page/');

const { outputFiles } = await build({
  entryPoints: [here('src/page/main.tsx')],
  outdir: output,
  write: false,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'inline',
  conditions: ['@monero-node/source'],
});

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const manifest = {};

/** Writes a file and adds it to the list. Returns its path in the page. */
function add(path, file, contentType, body, isImmutable) {
  writeFileSync(output + file, body);
  manifest[path] = { file, contentType, isImmutable };
  return path;
}

/** Writes a file under a name with its hash. */
function addHashed(name, extension, contentType, body) {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  const file = `${name}-${hash}.${extension}`;
  return add(`/page/${file}`, file, contentType, body, true);
}

const bodyOf = (extension) =>
  outputFiles.find(({ path }) => path.endsWith(extension))?.contents ?? Buffer.alloc(0);
const script = addHashed('page', 'js', 'text/javascript; charset=utf-8', bodyOf('.js'));
const style = addHashed('page', 'css', 'text/css; charset=utf-8', bodyOf('.css'));
const icon = addHashed('icon', 'svg', 'image/svg+xml', readFileSync(here('src/page/icon.svg')));
const document = readFileSync(here('src/page/index.html'), 'utf8')
  .replace('@SCRIPT@', script)
  .replace('@STYLE@', style)
  .replace('@ICON@', icon);
add('/', 'index.html', 'text/html; charset=utf-8', document, false);
writeFileSync(`${output}manifest.json`, JSON.stringify(manifest));
