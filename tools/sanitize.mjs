// Builds the native addons with AddressSanitizer and UndefinedBehaviorSanitizer, then runs their tests and
// their fuzz targets on them:
//
//   npm run sanitize [-- --executions N] [--no-tests]
//
// An execution of the fuzz target of packages/crypto makes four calls. The exit code is not 0 when a sanitizer,
// a test or a target found something. librandomx itself is a library of the system and is not instrumented.
import './setup.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compiler } from './native-toolchain.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const redirect = fileURLToPath(new URL('./sanitize/redirect.mjs', import.meta.url));
const child = fileURLToPath(new URL('./fuzz/child.mjs', import.meta.url));

const { values } = parseArgs({
  options: {
    executions: { type: 'string', default: '25000' },
    'no-tests': { type: 'boolean', default: false },
  },
});

/** The tests and the fuzz target of each addon, and the share of the executions that its target makes. */
const ADDONS = [
  {
    name: 'crypto',
    folder: 'packages/crypto',
    tests: ['src/native/backend', 'src/native/threads'],
    target: 'crypto-addon=packages/crypto/src/native/crypto-addon.fuzz.ts',
    share: 1,
  },
  {
    name: 'fcmp',
    folder: 'packages/fcmp',
    tests: ['src/backend', 'src/native', 'src/tree/arithmetic'],
    target: 'fcmp-addon=packages/fcmp/src/native/fcmp-addon.fuzz.ts',
    share: 0.1,
  },
  {
    name: 'randomx',
    folder: 'packages/pow',
    tests: ['src/native', 'src/compliance'],
    target: 'pow-addon=packages/pow/src/native/pow-addon.fuzz.ts',
    share: 0.2,
  },
];

/** Ends the program when a step failed. */
function run(what, command, args, options = {}) {
  console.log(`\n${what}`);
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit', cwd: root, ...options });
  if (status === 0) return;
  console.error(`sanitize: ${what}: ended with ${signal ?? `exit code ${status}`}`);
  process.exit(1);
}

/** Returns the path of the library that must be loaded before Node's own. */
function sanitizerLibrary() {
  for (const name of ['libasan.so', 'libclang_rt.asan-x86_64.so']) {
    const { stdout } = spawnSync(compiler, [`-print-file-name=${name}`], { encoding: 'utf8' });
    if (stdout && existsSync(stdout.trim())) return stdout.trim();
  }
  console.error(`sanitize: ${compiler} has no AddressSanitizer`);
  return process.exit(1);
}

const env = {
  ...process.env,
  LD_PRELOAD: sanitizerLibrary(),
  // Node itself does not free everything at its end.
  ASAN_OPTIONS: 'detect_leaks=0:abort_on_error=1',
  UBSAN_OPTIONS: 'print_stacktrace=1',
};

const { hasPath } = createRequire(import.meta.url)('../packages/crypto/native/build/crypto.node');
/** The vector code of the crypto addon; the numbers are those of Path in packages/crypto/native/cpu.h. */
const VECTOR_PATHS = { avx2: 1, ifma: 2 };
const paths = Object.keys(VECTOR_PATHS).filter((path) => {
  if (hasPath(VECTOR_PATHS[path])) return true;
  console.log(`the vector code for ${path} is skipped: this processor cannot run it`);
  return false;
});
const mode = `--sanitize=${['portable', ...paths].join(',')}`;

for (const { name, folder, tests, target, share } of ADDONS) {
  run(`build ${name} with sanitizers`, process.execPath, ['tools/build-addon.mjs', name, mode]);
  // Tests and targets skip an addon that does not load, and would end well.
  const addon = `${root}/.sanitize/${name}.node`;
  run(`load ${name}`, process.execPath, ['-e', 'require(process.argv[1])', addon], { env });
  if (!values['no-tests']) {
    const jest = `${root}/node_modules/jest/bin/jest.js`;
    const flags = `--experimental-vm-modules --disable-warning=ExperimentalWarning --import=${redirect}`;
    run(`tests of ${folder}`, process.execPath, [jest, '--runInBand', ...tests], {
      cwd: `${root}/${folder}`,
      env: { ...env, NODE_OPTIONS: flags },
    });
  }
  const executions = Math.ceil(share * Number(values.executions));
  run(
    `${executions} hostile executions of ${name}`,
    process.execPath,
    [
      ...['--conditions=@monero-node/source', '--disable-warning=ExperimentalWarning'],
      ...[`--import=${redirect}`, child, '--executions', String(executions), target],
    ],
    { env },
  );
}
