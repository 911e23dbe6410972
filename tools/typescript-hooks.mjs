// Lets Node (from 20.6 on) import the TypeScript sources of this workspace without a build:
//
//   register('./typescript-hooks.mjs', import.meta.url)
//
// What was compiled is kept, a file for each source, until the source changes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';

const OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
};
const KEPT = fileURLToPath(new URL('../node_modules/.cache/typescript/', import.meta.url));
const COMPILER = `${version} ${JSON.stringify(OPTIONS)}`;

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
