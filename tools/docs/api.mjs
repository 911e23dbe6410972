// The API of every package as Markdown, written by TypeDoc from the docstrings.
import { join } from 'node:path';
import ts from 'typescript';
import { Application, Converter, LogLevel, ReflectionKind } from 'typedoc';
import { ROOT } from '../markdown.mjs';

const OPTIONS = {
  plugin: ['typedoc-plugin-markdown'],
  basePath: ROOT,
  readme: 'none',
  disableGit: true,
  gitRevision: 'main',
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*'],
  validation: {
    notExported: true,
    invalidLink: true,
    invalidPath: true,
    rewrittenLink: true,
    notDocumented: true,
  },
  // Suite 47 looks at functions, which TypeDoc cannot tell from methods here.
  requiredToBeDocumented: ['Class', 'Variable'],
  // Of typedoc-plugin-markdown.
  router: 'module',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hidePageTitle: true,
  useCodeBlocks: true,
  expandParameters: true,
  useCustomAnchors: true,
  sanitizeComments: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
};

/** Returns one TypeScript program with all entries, which find each other's sources. */
function programOf(files) {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  return ts.createProgram(files, { ...options, noEmit: true, composite: false });
}

/** Returns what a source file exports: the symbols behind all re-exports. */
function exportsOf(program, file) {
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(
    checker.getSymbolAtLocation(program.getSourceFile(file)),
  );
  return new Set(
    symbols.map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    ),
  );
}

/**
 * Returns the entries of a package that have a page of their own, each with `parts`: the specifiers of those without one,
 * because this one exports all that they do.
 */
function mainEntries(program, entries) {
  const all = entries.map((entry) => ({ ...entry, exports: exportsOf(program, entry.file) }));
  const isPart = (small, large) =>
    small !== large &&
    small.exports.size < large.exports.size &&
    [...small.exports].every((each) => large.exports.has(each));
  return all
    .filter((entry) => !all.some((other) => isPart(entry, other)))
    .map((entry) => ({
      ...entry,
      parts: all.filter((other) => isPart(other, entry)).map(({ specifier }) => specifier),
    }));
}

/** Calls a parameter that is taken apart at once `options`. */
function nameParameters(context) {
  for (const parameter of context.project.getReflectionsByKind(ReflectionKind.Parameter)) {
    if (parameter.name === '__namedParameters') parameter.name = 'options';
  }
}

/** Returns the path of an entry's page without extension: `packages/codec/api`, `packages/codec/bytes`. */
const pathOf = (short, specifier) =>
  `packages/${short}/${specifier.split('/').slice(2).join('-') || 'api'}`;

/**
 * Writes the API of packages (of `packages()`) below a folder, without titles. Returns for each package's name its pages, as
 * { specifier, path, parts }. `sources`: the address of the repository's files.
 *
 * Throws Error when TypeDoc warns: of exports without docstring, links that lead nowhere, types that are not exported.
 */
export async function writeApi(all, folder, sources) {
  const program = programOf(all.flatMap(({ entries }) => entries.map(({ file }) => file)));
  const pages = new Map(
    all.map(({ name, short, entries }) => [
      name,
      mainEntries(program, entries).map((entry) => ({
        ...entry,
        path: pathOf(short, entry.specifier),
      })),
    ]),
  );
  const entries = [...pages.values()].flat();
  const app = await Application.bootstrapWithPlugins({
    ...OPTIONS,
    entryPoints: entries.map(({ file }) => file),
    sourceLinkTemplate: `${sources}/{path}#L{line}`,
    packagesRequiringDocumentation: all.map(({ name }) => name),
    logLevel: LogLevel.Warn,
    out: folder,
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, nameParameters);
  const points = entries.map(({ path, file }) => ({
    displayName: path,
    program,
    sourceFile: program.getSourceFile(file),
  }));
  await app.initializeRepositories(points);
  const project = app.converter.convert(points);
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc found problems');
  return pages;
}
