// Compiles TypeScript for Jest, and keeps the globals that hot loops use in constants of each module. In Jest's context every use of a
// global is a call of a native function, which would take a large part of the time of all tests. Globals that fake clocks and
// other tests replace are not among them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import swc from '@swc/jest';

const NAMES = [
  'Array',
  'BigInt',
  'DataView',
  'Map',
  'Math',
  'Number',
  'Object',
  'Set',
  'String',
  'Uint8Array',
];

/** Whether a module declares a name itself, or may do so. */
const declares = (code, name) =>
  new RegExp(
    `\\b(?:const|let|var|class|function\\*?|as)\\s+${name}\\b|^import [^;]*\\b${name}\\b`,
    'm',
  ).test(code);

/** Returns a module with these constants on its first line, so that no line number changes. */
function withConstants(code) {
  // A program, whose first line is for the shell.
  if (code.startsWith('#!')) return code;
  const used = NAMES.filter(
    (name) => new RegExp(`\\b${name}\\b`).test(code) && !declares(code, name),
  );
  return `const { ${used.join(', ')} } = globalThis; ${code}`;
}

const own = readFileSync(fileURLToPath(import.meta.url));

export default {
  /** Compiles with the options of swc. Without options, as for modules of JavaScript, only adds the constants. */
  createTransformer(options = {}) {
    const compiler = Object.keys(options).length > 0 ? swc.createTransformer(options) : undefined;
    const compile = (source, file, jestOptions) =>
      compiler === undefined ? { code: source } : compiler.process(source, file, jestOptions);
    return {
      process(source, file, jestOptions) {
        const { code, ...rest } = compile(source, file, jestOptions);
        return { ...rest, code: withConstants(code) };
      },
      getCacheKey(source, file, jestOptions) {
        const key = compiler?.getCacheKey(source, file, jestOptions) ?? '';
        return createHash('sha256')
          .update(own)
          .update(source)
          .update(file)
          .update(key)
          .digest('hex');
      },
    };
  },
};
