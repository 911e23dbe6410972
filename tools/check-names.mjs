// Finds names that two packages export: node tools/check-names.mjs [CHECKOUT]
//
// Looks at the entry points that the package.json files name under "exports". The same thing passed
// on by another package counts once.
import { posix } from 'node:path';
import ts from 'typescript';
import { readSource, workspaceFolders } from './checks/source-files.mjs';

const SOURCE = '@monero-node/source';

/** Package → its entry points as { '.': 'packages/x/src/index.ts' }. */
const entries = new Map();
for (const folder of workspaceFolders()) {
  const { name, exports = {} } = JSON.parse(readSource(`${folder}/package.json`));
  const own = Object.entries(exports).flatMap(([path, target]) =>
    target[SOURCE] === undefined ? [] : [[path, posix.join(folder, target[SOURCE])]],
  );
  entries.set(name, Object.fromEntries(own));
}

/** The file that a module name refers to; undefined outside the workspace. */
function fileOf(module, from) {
  if (module.startsWith('.')) return posix.join(posix.dirname(from), module);
  const name = module.split('/').slice(0, 2).join('/');
  return entries.get(name)?.[`.${module.slice(name.length)}`];
}

const parsed = new Map();
function parse(file) {
  if (!parsed.has(file)) {
    parsed.set(file, ts.createSourceFile(file, readSource(file), ts.ScriptTarget.ESNext));
  }
  return parsed.get(file);
}

function declaredNames(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : name.elements.map((element) => element.name.text),
    );
  }
  return statement.name === undefined ? [] : [statement.name.text];
}

/** What `name` was imported as, for a file that exports it again without `from`. */
function importedAs(source, name) {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const found = bindings.elements.find((element) => element.name.text === name);
    if (found === undefined) continue;
    return {
      module: statement.moduleSpecifier.text,
      name: (found.propertyName ?? found.name).text,
    };
  }
  return undefined;
}

/** Name → origin, `file#name`, of everything that a file exports. */
function exportsOf(file) {
  const names = new Map();
  const source = parse(file);
  const originOf = (module, name) => {
    const target = fileOf(module, file);
    return (target && exportsOf(target).get(name)) ?? `${module}#${name}`;
  };
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      const module = statement.moduleSpecifier?.text;
      if (statement.exportClause === undefined) {
        const target = fileOf(module, file);
        if (target) for (const [name, origin] of exportsOf(target)) names.set(name, origin);
      } else if (ts.isNamedExports(statement.exportClause)) {
        for (const { name, propertyName } of statement.exportClause.elements) {
          const own = (propertyName ?? name).text;
          const imported = module === undefined ? importedAs(source, own) : { module, name: own };
          names.set(
            name.text,
            imported ? originOf(imported.module, imported.name) : `${file}#${own}`,
          );
        }
      }
    } else if (
      ts.getModifiers?.(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    ) {
      for (const name of declaredNames(statement)) names.set(name, `${file}#${name}`);
    }
  }
  return names;
}

/** Name → origin → packages. */
const exported = new Map();
for (const [name, paths] of entries) {
  for (const file of Object.values(paths)) {
    for (const [symbol, origin] of exportsOf(file)) {
      const origins = exported.get(symbol) ?? exported.set(symbol, new Map()).get(symbol);
      origins.set(origin, (origins.get(origin) ?? new Set()).add(name));
    }
  }
}

let clashes = 0;
for (const [symbol, origins] of [...exported].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const packages = new Set([...origins.values()].flatMap((names) => [...names]));
  if (origins.size < 2 || packages.size < 2) continue;
  clashes += 1;
  console.error(`${symbol}:`);
  for (const [origin, names] of origins) console.error(`  ${[...names].join(', ')}: ${origin}`);
}
console.log(`${exported.size} exported names, ${clashes} of them in more than one package`);
if (clashes > 0) process.exitCode = 1;
