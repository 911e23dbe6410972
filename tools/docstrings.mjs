// Measures the docstrings of the packages, and of the daemon.
//
//   node tools/docstrings.mjs [--list] [--check] [package …]
//
// --list names what is missing, --check exits with 1 below the targets. The figures:
//
// - docs: exported functions and classes with a docstring. No target.
// - shapes: of the documented exported functions that take or return bytes, amounts, times, heights or
//   weights, those whose docstring names a shape or a unit. Target: 90 %.
// - throws: of the documented exported functions that throw on purpose, those whose docstring has the
//   word "Throws". Target: 80 %.
// - sources: of the rules of consensus, those whose docstring says "Source:". Target: all of them.
//
// It reads the syntax only, so the terms are simple:
//
// - A function is an exported function declaration, or an exported constant that is a function.
// - Bytes are parameters and results with `Uint8Array` or `Buffer` in their declared type; amounts and
//   the like are those of type `bigint`, and those of type `number` with a name that implies a unit (`height`,
//   `weight`, `fee`, `timeoutMs`, `now`, …; of a result, the name of the function counts).
// - A function throws on purpose when its body, or that of a function of the same file that it calls
//   by name, has a `throw` of a new value. A `throw` inside a `try` with a `catch`, and one that passes
//   on the error a `catch` was given, do not count.
// - The rules are all exported functions of packages/consensus/src but for those about errors and
//   those in network/, and all exported constants of its constants.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const TARGETS = { shapes: 0.9, throws: 0.8, sources: 1 };
const COLUMNS = ['docs', 'shapes', 'throws', 'sources'];

const BYTES_TYPE = /\b(Uint8Array|Buffer)\b/;
const MEASURED_NAME =
  /(height|weight|size|bytes|length|amount|fee|reward|coins|difficulty|time|timestamp|seconds|ms|now|since|until|delay|interval|timeout|deadline)s?$/i;
const SHAPE =
  /\b(bytes?|bits?|[kmg]ib|hex|utf-8|ascii|blobs?|varints?|little.endian|compressed|limbs?)\b/i;
const UNIT =
  /\b(atomic units?|units?|seconds?|milliseconds?|ms|minutes|hours|days|unix|heights?|blocks?|bytes?|bits?|weights?|hashes|hex|digits|modulo|mod|scalars?|characters|indices|index|entries)\b/i;

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const flags = new Set(process.argv.slice(2).filter((each) => each.startsWith('--')));
const wanted = process.argv.slice(2).filter((each) => !each.startsWith('--'));
for (const flag of flags) {
  if (flag !== '--list' && flag !== '--check') fail(`unknown option ${flag}`);
}

const names = [...readdirSync(join(workspace, 'packages')).sort(), 'daemon'];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) fail(`no package ${unknown.join(', ')}`);

const total = emptyFigures();
const table = [];
for (const name of names) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const folder = join(workspace, name === 'daemon' ? 'apps/daemon' : `packages/${name}`, 'src');
  if (!existsSync(folder)) continue;
  const figures = emptyFigures();
  for (const file of sourceFiles(folder)) measureFile(file, figures);
  for (const column of COLUMNS) {
    total[column].good += figures[column].good;
    total[column].missing.push(...figures[column].missing);
  }
  table.push([name, figures]);
}
table.push(['all', total]);

print(table);
if (flags.has('--list')) list(total);
const below = Object.entries(TARGETS).filter(([column, target]) => share(total[column]) < target);
if (below.length > 0) {
  const texts = below.map(([column, target]) => `${column} ${percent(target)}`);
  console.log(`\nbelow the targets: ${texts.join(', ')}`);
  if (flags.has('--check')) process.exitCode = 1;
}

function fail(message) {
  console.error(message);
  process.exit(2);
}

function emptyFigures() {
  return Object.fromEntries(COLUMNS.map((column) => [column, { good: 0, missing: [] }]));
}

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter(
      (path) => path.endsWith('.ts') && !/(\.spec|\.fuzz|\.d)\.ts$|(^|\/)testing\//.test(path),
    )
    .sort()
    .map((path) => join(folder, path));
}

function measureFile(path, figures) {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const where = relative(workspace, path);
  const functions = functionsOf(source);
  const count = (column, isGood, node, name) => {
    if (isGood) figures[column].good++;
    else {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      figures[column].missing.push(`${where}:${line + 1} ${name}`);
    }
  };
  for (const { name, node, statement } of exportsOf(source)) {
    const doc = docOf(statement);
    const isFunction = ts.isFunctionLike(node);
    if (isFunction || ts.isClassDeclaration(node)) count('docs', doc !== '', statement, name);
    if (isRule(where, node)) count('sources', /\bSource:/.test(doc), statement, name);
    if (!isFunction || doc === '') continue;
    const measures = measuresOf(name, node);
    if (measures.bytes || measures.units) {
      const isGood = (!measures.bytes || SHAPE.test(doc)) && (!measures.units || UNIT.test(doc));
      count('shapes', isGood, statement, name);
    }
    if (throws(node, functions)) count('throws', /\bThrows\b/.test(doc), statement, name);
  }
}

/** The functions declared at the top of a file, by name. */
function functionsOf(source) {
  const found = new Map();
  for (const statement of source.statements) {
    for (const { name, node } of declarationsOf(statement)) {
      if (ts.isFunctionLike(node)) found.set(name, node);
    }
  }
  return found;
}

function exportsOf(source) {
  return source.statements
    .filter((statement) =>
      ts.canHaveModifiers(statement)
        ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
        : false,
    )
    .flatMap((statement) => declarationsOf(statement));
}

/** Name and value of what a statement declares: functions, classes and constants. Overloads count once. */
function declarationsOf(statement) {
  if (ts.isFunctionDeclaration(statement)) {
    if (statement.body === undefined) return [];
    return [{ name: statement.name?.text ?? '', node: statement, statement }];
  }
  if (ts.isClassDeclaration(statement)) {
    return [{ name: statement.name?.text ?? '', node: statement, statement }];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations
    .filter(({ name, initializer }) => ts.isIdentifier(name) && initializer !== undefined)
    .map(({ name, initializer }) => ({ name: name.text, node: initializer, statement }));
}

function docOf(statement) {
  const overloads = ts.isFunctionDeclaration(statement)
    ? statement.parent.statements.filter(
        (other) => ts.isFunctionDeclaration(other) && other.name?.text === statement.name?.text,
      )
    : [statement];
  return overloads
    .flatMap((each) => ts.getJSDocCommentsAndTags(each))
    .filter((each) => ts.isJSDoc(each))
    .map((each) => each.getText())
    .join('\n');
}

function isRule(where, node) {
  if (!where.startsWith('packages/consensus/src/')) return false;
  if (where.endsWith('/constants.ts')) return true;
  return ts.isFunctionLike(node) && !/\/(network\/|error)/.test(where);
}

/** Whether a function takes or returns bytes, and whether amounts, times, heights or weights. */
function measuresOf(name, node) {
  const values = node.parameters.map((parameter) => ({
    name: parameter.name.getText(),
    type: parameter.type?.getText() ?? defaultType(parameter.initializer),
  }));
  values.push({ name, type: node.type?.getText() ?? '' });
  return {
    bytes: values.some(({ type }) => BYTES_TYPE.test(type)),
    units: values.some(
      (value) =>
        /\bbigint\b/.test(value.type) ||
        (/\bnumber\b/.test(value.type) && MEASURED_NAME.test(value.name)),
    ),
  };
}

function defaultType(initializer) {
  if (initializer === undefined) return '';
  if (ts.isNumericLiteral(initializer)) return 'number';
  return ts.isBigIntLiteral(initializer) ? 'bigint' : '';
}

function throws(node, functions, seen = new Set()) {
  if (seen.has(node)) return false;
  seen.add(node);
  let found = false;
  const visit = (child, caught, guarded) => {
    if (found) return;
    if (ts.isTryStatement(child)) {
      visit(child.tryBlock, caught, guarded || child.catchClause !== undefined);
      if (child.catchClause !== undefined) {
        const name = child.catchClause.variableDeclaration?.name.getText();
        visit(child.catchClause.block, name ? [...caught, name] : caught, guarded);
      }
      if (child.finallyBlock !== undefined) visit(child.finallyBlock, caught, guarded);
      return;
    }
    if (ts.isThrowStatement(child) && !guarded) {
      if (!caught.includes(child.expression.getText())) found = true;
      return;
    }
    if (ts.isCallExpression(child) && ts.isIdentifier(child.expression) && !guarded) {
      const called = functions.get(child.expression.text);
      if (called !== undefined && throws(called, functions, seen)) found = true;
    }
    child.forEachChild((next) => visit(next, caught, guarded));
  };
  if (node.body !== undefined) visit(node.body, [], false);
  return found;
}

function share({ good, missing }) {
  const all = good + missing.length;
  return all === 0 ? 1 : good / all;
}

function percent(value) {
  return `${Math.floor(value * 100)} %`;
}

function cell(figure, target = 0) {
  const all = figure.good + figure.missing.length;
  if (all === 0) return '–';
  const mark = share(figure) < target ? ' !' : '';
  return `${figure.good} of ${all}, ${percent(share(figure))}${mark}`;
}

function print(rows) {
  const lines = [['package', ...COLUMNS]];
  for (const [name, figures] of rows) {
    lines.push([name, ...COLUMNS.map((column) => cell(figures[column], TARGETS[column]))]);
  }
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)) + 2);
  for (const line of lines) {
    console.log(
      line
        .map((text, i) => text.padEnd(widths[i]))
        .join('')
        .trimEnd(),
    );
  }
}

function list(figures) {
  const TITLES = {
    docs: 'without a docstring',
    shapes: 'without shapes or units',
    throws: 'without "Throws"',
    sources: 'without "Source:"',
  };
  for (const column of COLUMNS) {
    if (figures[column].missing.length === 0) continue;
    console.log(`\n${TITLES[column]}:`);
    for (const place of figures[column].missing) console.log(`  ${place}`);
  }
}
