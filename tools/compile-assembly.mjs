// Runs the AssemblyScript compiler with the settings of this workspace, for the build.mjs of packages.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { Node, NodeKind } from 'assemblyscript';
import asc from 'assemblyscript/asc';
import { Transform } from 'assemblyscript/transform';

/**
 * Adds AssemblyScript's decorator `@inline` to functions whose comment ends with "@inline". In the source, a decorator on
 * a function would be invalid TypeScript, which neither Prettier nor ESLint can read.
 */
class InlineByComment extends Transform {
  afterParse(parser) {
    for (const source of parser.sources) {
      if (source.isLibrary) continue;
      for (const statement of source.statements) {
        if (statement.kind !== NodeKind.FunctionDeclaration) continue;
        const { range } = statement;
        if (!/@inline\s*\*\/\s*$/.test(source.text.slice(0, range.start))) continue;
        const name = Node.createIdentifierExpression('inline', range);
        statement.decorators = [Node.createDecorator(name, null, range)];
      }
    }
  }
}

/** Compiles the module `entry` to the file `output`; a compile error ends the process. */
export async function compileAssembly(entry, output, flags = []) {
  mkdirSync(dirname(output), { recursive: true });
  // The compiled bytes depend on the paths below this folder: the package, wherever this runs.
  const base = entry.slice(0, entry.lastIndexOf(join(sep, 'assembly', sep)));
  const { error, stderr } = await asc.main(
    [
      ...[entry, '--baseDir', base, '--outFile', output],
      ...['--runtime', 'stub', '--noAssert', '--optimizeLevel', '3', '--shrinkLevel', '0'],
      ...flags,
      ...process.argv.slice(2),
    ],
    { transforms: [new InlineByComment()] },
  );
  process.stderr.write(stderr.toString());
  if (error === null) return;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/**
 * Writes the bytes of FOLDER/NAME.wasm into the module FOLDER/NAME-wasm.js, which programs and bundlers import like any other
 * script, in Node and in browsers.
 */
export function embedAssembly(wasm) {
  const name = basename(wasm, '.wasm');
  const module = wasm.replace(/\.wasm$/, '-wasm');
  const text = readFileSync(wasm).toString('base64');
  const comment = `/** Returns the bytes of ${name}.wasm, decoded again by each call. */`;
  writeFileSync(
    `${module}.js`,
    `${comment}\nexport const wasmBytes = () => Uint8Array.from(atob('${text}'), (c) => c.charCodeAt(0));\n`,
  );
  writeFileSync(
    `${module}.d.ts`,
    `${comment}\nexport declare const wasmBytes: () => Uint8Array;\n`,
  );
}
