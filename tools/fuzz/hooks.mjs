// Module hooks for the fuzz targets: loads the TypeScript sources of the workspace, with a counter at every
// place where the control flow can part. The counters are a byte array, `globalThis.fuzzCounters`.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { COUNTERS } from './coverage.mjs';

const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
};
const { factory } = ts;
/** Files that hold the checks themselves: their branches say nothing about a decoder. */
const NOT_COUNTED = /\.(?:fuzz|spec)\.ts$|\/testing\//;
const LAZY = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** Counters given away so far. */
let used = 0;

/** Returns the expression that counts one visit of a new place. */
function count() {
  const place = factory.createElementAccessExpression(
    factory.createPropertyAccessExpression(factory.createIdentifier('globalThis'), 'fuzzCounters'),
    factory.createNumericLiteral(used++ % COUNTERS),
  );
  return factory.createPostfixIncrement(place);
}

const countFirst = (expression) =>
  factory.createParenthesizedExpression(factory.createComma(count(), expression));
const counted = (statements) => [factory.createExpressionStatement(count()), ...statements];
const countedBlock = (statement) =>
  factory.createBlock(counted(ts.isBlock(statement) ? statement.statements : [statement]), true);

/** Returns a node whose children have their counters already, with its own. */
function instrumentNode(node) {
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
    const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = node;
    return factory.updateArrowFunction(
      node,
      ...[modifiers, typeParameters, parameters, type, equalsGreaterThanToken],
      countFirst(node.body),
    );
  }
  // The block of a function, a loop, a try, a catch or a branch.
  if (ts.isBlock(node)) return factory.updateBlock(node, counted(node.statements));
  if (ts.isIfStatement(node)) {
    const { expression, thenStatement, elseStatement } = node;
    const otherwise = elseStatement ?? factory.createBlock([]);
    return factory.updateIfStatement(
      node,
      expression,
      ts.isBlock(thenStatement) ? thenStatement : countedBlock(thenStatement),
      elseStatement && ts.isBlock(elseStatement) ? elseStatement : countedBlock(otherwise),
    );
  }
  if (ts.isCaseClause(node)) {
    return factory.updateCaseClause(node, node.expression, counted(node.statements));
  }
  if (ts.isDefaultClause(node)) {
    return factory.updateDefaultClause(node, counted(node.statements));
  }
  if (ts.isConditionalExpression(node)) {
    const { condition, questionToken, whenTrue, colonToken, whenFalse } = node;
    return factory.updateConditionalExpression(
      node,
      ...[condition, questionToken, countFirst(whenTrue), colonToken, countFirst(whenFalse)],
    );
  }
  if (ts.isBinaryExpression(node) && LAZY.has(node.operatorToken.kind)) {
    const { left, operatorToken, right } = node;
    return factory.updateBinaryExpression(node, left, operatorToken, countFirst(right));
  }
  return node;
}

const instrument = (context) => (file) => {
  const visit = (node) => {
    if (ts.isTypeNode(node)) return node;
    return instrumentNode(ts.visitEachChild(node, visit, context));
  };
  return ts.visitEachChild(file, visit, context);
};

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts') || url.includes('/node_modules/')) return nextLoad(url, context);
  const fileName = fileURLToPath(url);
  const { outputText } = ts.transpileModule(await readFile(fileName, 'utf8'), {
    compilerOptions: OPTIONS,
    fileName,
    ...(!NOT_COUNTED.test(fileName) && { transformers: { before: [instrument] } }),
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
