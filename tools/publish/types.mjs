// Compiles a program that imports everything of an installed package, with the settings of a careful stranger.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.mjs';
import { readJson } from './packages.mjs';
import { run } from './run.mjs';

/** The oldest TypeScript as bundlers use it, and the newest as Node does: what each package is compiled with alone. */
export const FIRST_AND_LAST = [
  { version: '5.4.5', resolution: 'bundler' },
  { version: '7.0.2', resolution: 'nodenext' },
];

/** Every version of TypeScript and both ways of finding modules: what all packages are compiled with together. */
export const ALL_COMPILATIONS = [
  ...['5.4.5', '5.5.4', '5.6.3', '5.7.3', '5.8.3', '5.9.3', '6.0.3', '7.0.2'],
].flatMap((version) => ['bundler', 'nodenext'].map((resolution) => ({ version, resolution })));

/**
 * Packages of others whose own types do not compile with these settings, and why that is theirs to mend: errors in any other
 * package mean that our types lead to types that our users cannot compile.
 */
const FAILING_TYPES = [
  {
    name: '@types/node',
    before: '5.6',
    reason:
      'the newest version, which npm installs, needs iterators as TypeScript 5.6 declares them',
  },
  {
    name: '@nats-io/nats-core',
    reason: 'two classes do not implement their interfaces with exactOptionalPropertyTypes',
  },
  {
    name: '@multiformats/multiaddr',
    before: '5.7',
    reason: 'Uint8Array has a type argument, which TypeScript refuses before 5.7',
  },
];

/** How a project finds modules: as Node does, or as bundlers do. */
const SETTINGS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

/** Returns the program tsc of a version, which it installs once. Throws Error when npm fails. */
async function compiler(version) {
  const { ok, path, output } = await installOnce({
    folder: `typescript/${version}`,
    specifier: `typescript@${version}`,
    file: 'typescript/bin/tsc',
  });
  if (!ok) throw new Error(`typescript ${version} cannot be installed\n${output}`);
  return path;
}

/** Installs the compilers, so that a check that runs twice at once does not install them twice. */
export async function prepareCompilers(compilations) {
  for (const version of new Set(compilations.map((each) => each.version))) await compiler(version);
}

/**
 * Returns the specifiers of a package with types. Exports for Node only are left out where its types are an optional peer:
 * without them nobody can use these exports.
 */
function typedExports(folder, name) {
  const manifest = readJson(join(folder, 'node_modules', name, 'package.json'));
  const isPeer = manifest.peerDependencies?.['@types/node'] !== undefined;
  return Object.entries(manifest.exports)
    .filter(([path, target]) => typeof target === 'object' && !(isPeer && path === './node'))
    .map(([path]) => name + path.slice(1));
}

/** Returns whether a line of tsc is about a package of {@link FAILING_TYPES}. */
function isKnownToFail(line, version) {
  return FAILING_TYPES.some(
    ({ name, before }) =>
      line.startsWith(`node_modules/${name}/`) &&
      (before === undefined || version.localeCompare(before, 'en', { numeric: true }) < 0),
  );
}

/**
 * Compiles `import * as x from …` for every export with types of some packages. Returns the errors, those in the types of other packages
 * that ours lead to included.
 */
async function compileImports({ folder, names, version, resolution }) {
  const imports = names
    .flatMap((name) => typedExports(folder, name))
    .map((specifier, i) => `import * as m${i} from '${specifier}';\nexport const x${i} = m${i};\n`);
  writeFileSync(join(folder, 'consumer.ts'), imports.join(''));
  const config = `tsconfig.${version}.${resolution}.json`;
  const compilerOptions = {
    ...SETTINGS[resolution],
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // The default of TypeScript 6, for all versions.
    types: [],
    // All declarations are checked but TypeScript's own, which would take most of the time.
    skipLibCheck: false,
    skipDefaultLibCheck: true,
  };
  writeFileSync(join(folder, config), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  const { ok, stdout } = await run(process.execPath, [await compiler(version), '-p', config], {
    cwd: folder,
  });
  const lines = stdout.split('\n').filter((line) => /error TS\d+/.test(line));
  if (!ok && lines.length === 0) lines.push(`tsc ${version} failed without an error: ${stdout}`);
  return lines.filter((line) => !isKnownToFail(line, version));
}

/** Compiles the imports of packages that are installed in a folder, in each of some ways. Returns the problems, as lines. */
export async function checkTypes(folder, names, compilations) {
  const problems = [];
  for (const { version, resolution } of compilations) {
    const errors = await compileImports({ folder, names, version, resolution });
    problems.push(...errors.map((line) => `TypeScript ${version}, ${resolution}: ${line}`));
  }
  return problems;
}
