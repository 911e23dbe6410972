// Compiles a program that imports everything of an installed package, with the settings of a careful stranger.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT, readJson } from './packages.mjs';
import { run } from './run.mjs';

/** The versions of TypeScript, oldest and newest first; without --all only these two are tried. */
export const TYPESCRIPT_VERSIONS = [
  ...['5.4.5', '7.0.2'],
  ...['5.5.4', '5.6.3', '5.7.3', '5.8.3', '5.9.3', '6.0.3'],
];

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
  const folder = join(OUTPUT, 'typescript', version);
  const program = join(folder, 'node_modules/typescript/bin/tsc');
  if (existsSync(program)) return program;
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline'];
  const { ok, output } = await run('npm', [
    ...install,
    ...['--prefix', folder, `typescript@${version}`],
  ]);
  if (!ok) throw new Error(`typescript ${version} cannot be installed\n${output}`);
  return program;
}

/** Installs the compilers. */
export async function prepareCompilers(versions) {
  for (const version of versions) await compiler(version);
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
 * Compiles `import * as x from …` for every export with types. Returns the errors, those in the types of other packages that
 * ours lead to included.
 */
export async function compileImports({ folder, name, version, resolution }) {
  const imports = typedExports(folder, name).map(
    (specifier, i) => `import * as m${i} from '${specifier}';\nexport const x${i} = m${i};\n`,
  );
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
