// Lets Node (from 20.6 on) import the TypeScript sources of this workspace without a build:
//
//   register('./typescript-hooks.mjs', import.meta.url)
//
// What was compiled is kept, a file for each source, until the source changes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

const OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
};
const KEPT = fileURLToPath(new URL('../node_modules/.cache/typescript/', import.meta.url));
const COMPILER = `${require('@swc/core/package.json').version} ${JSON.stringify(OPTIONS)}`;

const hash = (...texts) => {
  const state = createHash('sha256');
  for (const text of texts) state.update(text);
  return state.digest('hex');
};

function compiled(path) {
  const source = readFileSync(path, 'utf8');
  const kept = join(KEPT, hash(path));
  const last = `\n// ${hash(COMPILER, source)}\n`;
  try {
    const code = readFileSync(kept, 'utf8');
    if (code.endsWith(last)) return code;
  } catch {
    // Not compiled before.
  }
  // Loading the compiler takes longer than reading what it made for all modules of a package.
  const { transformSync } = require('@swc/core');
  const code = transformSync(source, { ...OPTIONS, filename: path }).code + last;
  mkdirSync(KEPT, { recursive: true });
  // Another process may compile the same file now.
  const half = `${kept}.${process.pid}`;
  writeFileSync(half, code);
  renameSync(half, kept);
  return code;
}

export function load(url, context, nextLoad) {
  if (!url.endsWith('.ts') || url.includes('/node_modules/')) return nextLoad(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}
