import nx from '@nx/eslint-plugin';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// Packages depend downwards only: a package of layer N sees the layers below it, and all see packages/base.
// ARCHITECTURE.md lists which package is on which layer.
const LAYERS = ['0', '1', '2', '3', '4', '5', '6'];
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
      '.nx/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: true,
          allow: [],
          depConstraints: [
            ...layerRules,
            { sourceTag: 'layer:e2e', onlyDependOnLibsWithTags: ['*'] },
          ],
        },
      ],
      'max-lines': ['error', { max: 500, skipBlankLines: false, skipComments: false }],
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
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
