// The rules of ESLint about docstrings: what an exported function or class says of itself. `eslint-plugin-jsdoc` finds the
// function (`context`) and looks at its docstring (`comment`), both with selectors of esquery.
import jsdoc from 'eslint-plugin-jsdoc';

/** An exported function, as a path below its export: the plugin knows nothing of what a node is part of. */
const FUNCTION =
  ':matches(ExportNamedDeclaration > FunctionDeclaration, ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > ArrowFunctionExpression)';
const CLASSES = 'ExportNamedDeclaration[declaration.type="ClassDeclaration"]';
const CONSTANTS = 'ExportNamedDeclaration[declaration.type="VariableDeclaration"]';

/** Names of numbers that have a unit. */
const MEASURED =
  '/(height|weight|size|bytes|length|amount|fee|reward|coins|difficulty|time|timestamp|seconds|ms|now|since|until|delay|interval|timeout|deadline)s?$/i';
const SHAPE =
  '/\\b(bytes?|bits?|[kmg]ib|hex|utf-8|ascii|blobs?|varints?|little.endian|compressed|limbs?)\\b/i';
const UNIT =
  '/\\b(atomic units?|units?|seconds?|milliseconds?|ms|minutes|hours|days|unix|heights?|blocks?|bytes?|bits?|weights?|hashes|hex|digits|modulo|mod|scalars?|characters|indices|index|entries|microseconds|numbers? of)\\b/i';

const BYTES = 'TSTypeReference[typeName.name=/^(Uint8Array|Buffer)$/]';
const TAKES_BYTES = `${FUNCTION} > .params ${BYTES}, ${FUNCTION} > .returnType ${BYTES}`;
const TAKES_MEASURES = [
  `${FUNCTION} > .params TSBigIntKeyword, ${FUNCTION} > .returnType TSBigIntKeyword`,
  `${FUNCTION} > Identifier.params[name=${MEASURED}] TSNumberKeyword`,
  `${FUNCTION} > AssignmentPattern.params > Identifier.left[name=${MEASURED}] TSNumberKeyword`,
  `${FUNCTION} > AssignmentPattern.params[right.type="Literal"] > Identifier.left[name=${MEASURED}]`,
  `FunctionDeclaration[id.name=${MEASURED}] > .returnType > TSNumberKeyword`,
].join(', ');
/** Throws an error of its own: not inside a `try`, which may catch it or pass on what it was given. */
const THROWS = `${FUNCTION} > .body ThrowStatement:not(TryStatement *)`;

/** Selects docstrings of which neither the text nor a tag contains the words. */
const without = (words) =>
  `JsdocBlock:not(:matches([description=${words}], :has(JsdocTag:matches([name=${words}], [description=${words}]))))`;

const has = (path, comment, message) => ({
  context: `ExportNamedDeclaration:has(${path})`,
  comment,
  message,
});

const GENERAL = [
  has(TAKES_BYTES, without(SHAPE), 'Name the shape of the bytes: how many, which encoding.'),
  has(TAKES_MEASURES, without(UNIT), 'Name the unit of amounts, times, heights and weights.'),
  has(
    THROWS,
    without('/\\b(throws|rejects)\\b/i'),
    'Write "Throws X when …", or "Rejects with …".',
  ),
];
/** Of the rules of consensus. */
const SOURCED = [
  has(FUNCTION, without('/\\bSource:/'), 'Name the source of the rule: "Source: …".'),
];

const plugins = { jsdoc };
const files = ['packages/*/src/**/*.ts', 'apps/daemon/src/**/*.ts'];
const ignores = ['**/*.{spec,fuzz}.ts', '**/testing/**'];

export const docstringRules = [
  {
    files,
    ignores,
    plugins,
    rules: {
      'jsdoc/require-jsdoc': [
        'error',
        {
          require: { FunctionDeclaration: false },
          contexts: [`ExportNamedDeclaration:has(${FUNCTION})`, CLASSES],
          exemptOverloadedImplementations: true,
          enableFixer: false,
        },
      ],
      'jsdoc/no-restricted-syntax': ['error', { contexts: GENERAL }],
    },
  },
  {
    files: ['packages/consensus/src/**/*.ts'],
    ignores: [...ignores, '**/network/**', '**/*error*', '**/*error*/**'],
    rules: { 'jsdoc/no-restricted-syntax': ['error', { contexts: [...GENERAL, ...SOURCED] }] },
  },
  {
    files: ['packages/consensus/src/**/constants.ts'],
    rules: {
      'jsdoc/require-jsdoc': [
        'error',
        {
          require: { FunctionDeclaration: false },
          contexts: [CONSTANTS],
          enableFixer: false,
        },
      ],
      'jsdoc/no-restricted-syntax': [
        'error',
        {
          contexts: [
            {
              context: CONSTANTS,
              comment: without('/\\bSource:/'),
              message: 'Name the source of the constant: "Source: …".',
            },
          ],
        },
      ],
    },
  },
];
