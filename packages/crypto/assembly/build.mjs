// Compiles the AssemblyScript of this directory. `node assembly/build.mjs` from packages/crypto.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Node, NodeKind } from 'assemblyscript';
import asc from 'assemblyscript/asc';
import { Transform } from 'assemblyscript/transform';

/**
 * Functions with "@inline" at the end of their comment get AssemblyScript's decorator of that name. Written out, a
 * decorator on a function is no valid TypeScript, so that neither Prettier nor ESLint could read the file.
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

const assembly = new URL('.', import.meta.url);
const output = new URL('../dist/assembly/', import.meta.url);
mkdirSync(output, { recursive: true });

async function compile(entry, name) {
  const { error, stderr } = await asc.main(
    [
      fileURLToPath(new URL(entry, assembly)),
      ...['--outFile', fileURLToPath(new URL(name, output))],
      ...['--runtime', 'stub', '--noAssert', '--optimizeLevel', '3', '--shrinkLevel', '0'],
      ...process.argv.slice(2),
    ],
    { transforms: [new InlineByComment()] },
  );
  process.stderr.write(stderr.toString());
  if (error === null) return;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

await compile('index.ts', 'crypto.wasm');
await compile('keccak-module.ts', 'keccak.wasm');
await compile('testing.ts', 'testing.wasm');
