// Finds the examples in documents: blocks of JavaScript and TypeScript in the README of each package, and the `@example` of
// docstrings. A block below the comment `<!-- not run: REASON -->` is left out.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { transform } from 'esbuild';

const README_BLOCK = /(<!-- not run: [^\n]+ -->\n+)?```(js|ts)\n([\s\S]*?)\n```/g;
const DOC_BLOCK = /@example\s*\n((?:\s*\*[^\n]*\n)*?)\s*\*\s*```(js|ts)\n([\s\S]*?)\n\s*\*\s*```/g;

/** Returns the line, from 1, at which an offset of a text lies. */
const lineAt = (text, offset) => text.slice(0, offset).split('\n').length;

function inReadme(text) {
  return [...text.matchAll(README_BLOCK)]
    .filter(([, notRun]) => notRun === undefined)
    .map(({ 2: language, 3: source, index }) => ({ language, source, line: lineAt(text, index) }));
}

function inDocstrings(text) {
  return [...text.matchAll(DOC_BLOCK)].map(({ 2: language, 3: block, index }) => ({
    language,
    source: block.replaceAll(/^\s*\* ?/gm, ''),
    line: lineAt(text, index),
  }));
}

function sourcesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/\.(spec|fuzz|d)\.ts$/.test(path))
    .map((path) => join(folder, path));
}

/** Returns the examples of all packages of a checkout as { name, language, source }; the name is `file:line`. */
export function docExamples(root) {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
  );
  return folders.flatMap((folder) => {
    const readme = join(folder, 'README.md');
    const files = [
      ...(existsSync(readme) ? [[readme, inReadme]] : []),
      ...sourcesBelow(join(folder, 'src')).map((file) => [file, inDocstrings]),
    ];
    return files.flatMap(([file, find]) =>
      find(readFileSync(file, 'utf8')).map(({ line, ...example }) => ({
        ...example,
        name: `${relative(root, file)}:${line}`,
      })),
    );
  });
}

/**
 * Returns an example as a JavaScript module that asks a regtest node where the example asks a mainnet node of this machine.
 *
 * @param ports the ports of that node: { rpc, p2p }
 */
export async function runnableExample({ language, source }, ports) {
  const asksPeer = /127\.0\.0\.1:18080/.test(source);
  const adapted = source
    .replaceAll(/\b18081\b/g, ports.rpc)
    .replaceAll(/\b18080\b/g, ports.p2p)
    .replaceAll('NETWORKS.mainnet', asksPeer ? 'NETWORKS.regtest' : 'NETWORKS.mainnet');
  if (language === 'js') return adapted;
  const { code } = await transform(adapted, { loader: 'ts', target: 'node20', format: 'esm' });
  return code;
}
