// What the playground and the pages of examples/ need on the documentation site: the packages in one script, and the programs. It
// reads the packages as built.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { ROOT } from '../markdown.mjs';

/** Programs of examples/ that run in a page as they are. */
export const RECIPES = ['decode-transaction', 'decode-any', 'browser', 'scan-carrot-output'];
/** Folders of examples/ that are pages, with the modules that they consist of. */
const PAGES = {
  'verify-page': { page: 'page.mjs' },
  'membership-page': { page: 'page.mjs' },
  'scan-page': {
    page: 'page.mjs',
    worker: '@monero-node/wallet-primitives/scan-worker/thread',
  },
};
/** What programs may import. */
const SPECIFIERS = [
  '@monero-node/codec',
  '@monero-node/codec/bytes',
  '@monero-node/consensus',
  '@monero-node/crypto',
  '@monero-node/keccak',
  '@monero-node/rpc-client',
  '@monero-node/rpc-client/watch',
  '@monero-node/wallet-primitives',
  '@monero-node/wallet-primitives/carrot',
  '@monero-node/wallet-primitives/words/english',
];

const example = (path) => join(ROOT, 'examples', path);

/** Bundles for a page. Throws Error when a package is not built, or needs Node. */
function bundle(options) {
  buildSync({
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    loader: { '.gz': 'binary' },
    logLevel: 'error',
    ...options,
  });
}

/** Returns the recipes as { name, title, program }; the title is the first sentence of the program. */
function recipes() {
  return RECIPES.map((name) => {
    const program = readFileSync(example(`${name}.mjs`), 'utf8');
    const title = /^\/\/ ([^.:]+)/.exec(program)?.[1];
    if (title === undefined) throw new Error(`examples/${name}.mjs does not begin with a comment`);
    return { name, title, program };
  });
}

/**
 * Writes the script of the packages and the recipes into `folder`/playground, and the pages of examples/ into `folder`/pages. Throws Error
 * when a package is not built, or needs Node.
 */
export function writePlayground(folder) {
  const target = join(folder, 'playground');
  mkdirSync(target, { recursive: true });
  const imports = SPECIFIERS.map((name, i) => `import * as p${i} from '${name}';`);
  const table = SPECIFIERS.map((name, i) => `'${name}': p${i}`);
  bundle({
    stdin: {
      contents: [
        ...imports,
        "import { runPrograms } from './docs/.vitepress/playground/runner.mjs';",
        `runPrograms({ ${table.join(', ')} });`,
      ].join('\n'),
      resolveDir: ROOT,
    },
    format: 'iife',
    // Only for workers, which a frame without an origin cannot start.
    define: { 'import.meta.url': '""' },
    outfile: join(target, 'packages.js'),
  });
  writeFileSync(join(target, 'recipes.json'), JSON.stringify(recipes()));
  for (const [name, modules] of Object.entries(PAGES)) {
    const page = join(folder, 'pages', name);
    mkdirSync(page, { recursive: true });
    copyFileSync(example(`${name}/index.html`), join(page, 'index.html'));
    for (const [output, module] of Object.entries(modules)) {
      const entry = module.startsWith('@') ? module : example(`${name}/${module}`);
      bundle({ entryPoints: [entry], format: 'esm', outfile: join(page, `${output}.js`) });
    }
  }
}
