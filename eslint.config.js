import { readFileSync } from 'node:fs';
import nx from '@nx/eslint-plugin';
import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import * as jsoncParser from 'jsonc-eslint-parser';
import tseslint from 'typescript-eslint';
import { docstringRules } from './tools/checks/docstring-rules.mjs';
import { guardedEmittersPlugin } from './tools/checks/guarded-emitters.mjs';

const p2pPackage = JSON.parse(
  readFileSync(new URL('packages/p2p/package.json', import.meta.url), 'utf8'),
);

// Packages depend downwards only: a package of layer N sees the layers below it, and all see packages/base.
// ARCHITECTURE.md lists which package is on which layer.
const LAYERS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
const layerRules = LAYERS.map((layer, i) => ({
  sourceTag: `layer:${layer}`,
  onlyDependOnLibsWithTags: ['base', ...LAYERS.slice(0, i).map((lower) => `layer:${lower}`)],
}));

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/out-tsc/**',
      '**/node_modules/**',
      '**/fixtures/**',
      '**/native/build/**',
      '**/*.d.ts',
      '.nx/**',
      // A package of its own, with an SDK that this workspace does not install.
      'deploy/start9/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx, 'import-x': importX },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    settings: {
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          conditionNames: ['@monero-node/source', 'types', 'import', 'default'],
          noWarnOnMultipleProjects: true,
        }),
      ],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: true,
          // `imports` of package.json: they differ between Node and browsers.
          allow: ['#native', '#native-tree', '#platform', '#start-worker'],
          // A dynamic import makes a package lazy-loaded; specs use some after jest.unstable_mockModule.
          checkDynamicDependenciesExceptions: ['@monero-node/.*'],
          depConstraints: [
            ...layerRules,
            { sourceTag: 'layer:e2e', onlyDependOnLibsWithTags: ['*'] },
          ],
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // tools/check-folders.mjs looks at imports of types and at folders too.
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
    },
  },
  {
    files: ['packages/*/src/**/*.ts', 'apps/daemon/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.fuzz.ts', '**/testing/**'],
    plugins: { monero: guardedEmittersPlugin },
    rules: { 'monero/guarded-emitters': 'error' },
  },
  {
    // A chain in memory needs no lmdb: whoever embeds it need not compile native code.
    files: ['packages/blockchain/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/testing/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@monero-node/storage',
              allowTypeImports: true,
              message: 'This entry loads lmdb: import values from @monero-node/storage/memory.',
            },
          ],
        },
      ],
    },
  },
  {
    // Signers and provers for tests take a time that tells their secrets: no node may have them.
    files: ['packages/*/src/**/*.ts', 'apps/daemon/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.fuzz.ts', '**/testing/**', 'packages/devnet/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@monero-node/*/insecure-*', '**/insecure-*/**'],
              message: 'Its time depends on secrets: for tests and for packages/devnet only.',
            },
          ],
        },
      ],
    },
  },
  ...docstringRules,
  {
    files: ['packages/*/package.json', 'apps/daemon/package.json'],
    plugins: { '@nx': nx },
    languageOptions: { parser: jsoncParser },
    rules: {
      '@nx/dependency-checks': [
        'error',
        {
          checkVersionMismatches: false, // it looks at the hoisted copy, not at the package's own
          // The published types name types of Node; nothing imports them.
          ignoredDependencies: ['@types/node'],
          ignoredFiles: [
            '{projectRoot}/*.js',
            '{projectRoot}/**/*.{spec,fuzz}.ts',
            '{projectRoot}/src/testing/**',
            // Compiled into the package, with the Keccak of packages/keccak/assembly.
            '{projectRoot}/assembly/**',
          ],
        },
      ],
    },
  },
  {
    files: ['apps/daemon/package.json'],
    plugins: { '@nx': nx },
    languageOptions: { parser: jsoncParser },
    rules: {
      '@nx/dependency-checks': [
        'error',
        {
          checkVersionMismatches: false,
          // The daemon installs what is optional in p2p, which imports it.
          ignoredDependencies: ['@types/node', ...Object.keys(p2pPackage.peerDependencies)],
          ignoredFiles: ['{projectRoot}/*.js', '{projectRoot}/**/*.{spec,fuzz}.ts'],
        },
      ],
    },
  },
  {
    // Nothing but tests: the files of its lint target are all of them.
    files: ['apps/daemon-e2e/package.json'],
    plugins: { '@nx': nx },
    languageOptions: { parser: jsoncParser },
    rules: {
      '@nx/dependency-checks': [
        'error',
        {
          checkVersionMismatches: false,
          buildTargets: ['lint'],
          // Started as programs; in the workspace's own package.json.
          ignoredDependencies: ['@monero-node/daemon', '@jest/globals', 'vite'],
        },
      ],
    },
  },
  {
    // AssemblyScript: compiled on its own, with the Keccak of packages/keccak/assembly.
    files: ['packages/*/assembly/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // The script of a page.
    files: ['apps/explorer/public/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        setInterval: 'readonly',
        DOMParser: 'readonly',
        EventSource: 'readonly',
      },
    },
  },
  {
    // Those of others.
    files: ['examples/{verify,scan,membership}-page/*.mjs'],
    languageOptions: {
      globals: {
        Blob: 'readonly',
        DecompressionStream: 'readonly',
        Option: 'readonly',
        Response: 'readonly',
        document: 'readonly',
        location: 'readonly',
        FormData: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
  },
  {
    // That of the documentation site, with its playground.
    files: ['docs/.vitepress/**/*.mjs'],
    languageOptions: {
      globals: {
        addEventListener: 'readonly',
        Blob: 'readonly',
        document: 'readonly',
        location: 'readonly',
        parent: 'readonly',
        removeEventListener: 'readonly',
      },
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        crypto: 'readonly',
        AbortController: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
      },
    },
  },
);
