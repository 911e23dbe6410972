// Looks at packed packages for what a stranger would stumble over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { usesNodeTypes } from './declarations.mjs';
import { readJson, SCOPE } from './packages.mjs';

const REQUIRED_FILES = ['LICENSE', 'README.md', 'package.json'];
const REQUIRED_FIELDS = ['description', 'keywords', 'license', 'repository', 'engines', 'exports'];
/** Tests, sources, build files: nothing of them is published. */
const FORBIDDEN = /\.(spec|fuzz)\.|(^|\/)testing[./]|^src\/|\.map$|\.tsbuildinfo$|(?<!\.d)\.ts$/;
/** Exports without types. */
const DATA = /\.(dat|wasm)$|[/-]worker$/;
/** The packages are ES modules only; CommonJS can import() them. */
const ESM_ONLY = new Set(['node10', 'node16-cjs']);

function lintManifest({ folder, files }) {
  const manifest = readJson(join(folder, 'package.json'));
  const paths = files.map(({ path }) => path);
  const ranges = Object.entries({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
  }).filter(([name, range]) => name.startsWith(SCOPE) && !/\d+\.\d+\.\d+/.test(range));
  return [
    ...REQUIRED_FILES.filter((file) => !paths.includes(file)).map((file) => `${file} is missing`),
    ...REQUIRED_FIELDS.filter((field) => manifest[field] === undefined).map(
      (field) => `package.json has no ${field}`,
    ),
    ...paths.filter((path) => FORBIDDEN.test(path)).map((path) => `${path} is published`),
    ...ranges.map(([name, range]) => `the range of ${name} is ${range}`),
  ];
}

function lintDeclarations({ folder, files }) {
  const declarations = files.map(({ path }) => path).filter((path) => path.endsWith('.d.ts'));
  const { dependencies = {}, peerDependencies = {} } = readJson(join(folder, 'package.json'));
  const hasNodeTypes = (path) =>
    dependencies['@types/node'] !== undefined ||
    (peerDependencies['@types/node'] !== undefined && path.startsWith('dist/node/'));
  return declarations.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const problems = [];
    // TypeScript writes this where a type is too long, and then any value passes.
    if (text.includes('elided')) problems.push(`${path} has an elided type`);
    if (usesNodeTypes(text) && !hasNodeTypes(path)) {
      problems.push(`${path} needs @types/node, which is not a dependency`);
    }
    return problems;
  });
}

/** Returns one line for each problem with what `pack` returned. */
export async function lintPackage(packed) {
  const { messages } = await publint({ pkgDir: packed.folder, pack: false, strict: true });
  const manifest = readJson(join(packed.folder, 'package.json'));
  const data = new Uint8Array(readFileSync(packed.file));
  const { problems = [] } = await checkPackage(createPackageFromTarballData(data));
  const types = problems.filter(
    ({ resolutionKind, entrypoint = '' }) =>
      !ESM_ONLY.has(resolutionKind) && !DATA.test(entrypoint),
  );
  return [
    ...lintManifest(packed),
    ...lintDeclarations(packed),
    ...messages.map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`),
    ...types.map(
      ({ kind, entrypoint, resolutionKind }) =>
        `types: ${kind} ${entrypoint ?? ''} ${resolutionKind ?? ''}`,
    ),
  ];
}
