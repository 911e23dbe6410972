// `npm test`: prepares the checkout, then runs the unit tests. Nothing is taken from a cache of results: every run is fresh.
//
//   npm test                          all but the files x.long.spec.ts, which take more time than the others for what they find
//   npm test -- --long                these files only; CI runs both
//   npm test -- codec rpc             the tests of some packages
//   npm test -- codec -- -t varint    with options of Jest
//   TEST_NODE=PATH npm test           on another Node, for which nothing is set up anew
//   WHOLE_TESTS=1 npm test            with all inputs where npm test takes samples, as the nightly workflow does; takes minutes more
//
// The files are cut into parts, each a run of Jest in one process, which loads the modules that its files share once. One part more
// runs at a time than there are cores, as many tests wait.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from './setup/checkout.mjs';

/** Files in a part, and in one of those that take long. */
const PART = 100;
const LONG_PART = 4;
const SLOWEST = 10;
/** Free bytes in memory for the files of tests, far more than they need. */
const MEMORY_BYTES = 2 ** 31;
const FLAGS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Returns the folders of the packages and applications with tests. */
function foldersWithTests() {
  return ['packages', 'apps']
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name)))
    .filter((folder) => existsSync(join(folder, 'jest.config.js')));
}

/** Returns the number of files with tests of this run in a folder. */
function filesIn(folder) {
  const names = readdirSync(join(folder, 'src'), { recursive: true });
  return names.filter((name) => name.endsWith('.spec.ts') && !others.test(name)).length;
}

/** Runs Jest and returns its exit status; the reporter writes what it found to `results`. */
function runJest(args, results) {
  const jest = createRequire(join(root, 'package.json')).resolve('jest/bin/jest');
  const reporter = join(root, 'tools/test-reporter.mjs');
  // A test that failed may leave a server behind, which would keep the process for ever.
  const own = ['--runInBand', '--forceExit', '--passWithNoTests', '--reporters', reporter];
  // Jest would keep what it compiled below TMPDIR, which ends with this run.
  own.push(
    '--testPathIgnorePatterns',
    others.source,
    '--cacheDirectory',
    join(root, 'node_modules/.cache/jest'),
  );
  // As many runs as there are cores leave no core for threads of the garbage collector.
  const node = process.env.TEST_NODE ?? process.execPath;
  const child = spawn(node, ['--single-threaded-gc', jest, ...own, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${FLAGS}`,
      TEST_RESULTS: results,
      TEST_MEMO: memo,
      TMPDIR: temporary,
    },
  });
  return new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)));
}

/** Returns where the folder of this run is made: in memory, if there is enough, as tests synchronize databases thousands of times. */
function fastFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > MEMORY_BYTES ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

function summary(results, failedRuns, began) {
  const all = readdirSync(results).map((name) =>
    JSON.parse(readFileSync(join(results, name), 'utf8')),
  );
  const files = all.flatMap((each) => each.files).sort((a, b) => b.time - a.time);
  console.log('\nThe slowest files:');
  for (const { time, file } of files.slice(0, SLOWEST)) {
    console.log(`${seconds(time).padStart(9)}  ${file}`);
  }
  const failed = files.filter((each) => each.failed).map(({ file }) => file);
  if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`);
  for (const part of failedRuns) console.log(`\nTests of ${part} failed or did not end.`);
  const total = (what) => all.reduce((sum, each) => sum + each[what], 0).toLocaleString('en');
  if (!isLong) console.log('\nFiles x.long.spec.ts are left out: npm test -- --long');
  console.log(
    `\n${total('passed')} tests passed, ${total('failed')} failed, ${total('skipped')} skipped, ` +
      `in ${files.length} files and ${seconds(Date.now() - began)}`,
  );
}

await import('./setup.mjs');

// An option of nx, for those who know it from there: there is no cache to skip.
const args = process.argv.slice(2).filter((arg) => arg !== '--skip-nx-cache');
const end = args.includes('--') ? args.indexOf('--') : args.length;
const names = args.slice(0, end).filter((arg) => arg !== '--long');
const isLong = names.length < end;
/** Files that are not of this run. */
const others = isLong ? /(?<!\.long)\.spec\.ts$/ : /\.long\.spec\.ts$/;
const unknown = names.filter(
  (name) => !foldersWithTests().some((folder) => basename(folder) === name),
);
if (unknown.length > 0) {
  console.error(`no package with tests: ${unknown.join(', ')}`);
  process.exit(2);
}
const began = Date.now();
// Short, as the path of a socket must be.
const run = mkdtempSync(join(fastFolder(), 'mn-'));
const [results, memo, temporary] = ['results', 'memo', 't'].map((name) => join(run, name));
for (const folder of [results, memo, temporary]) mkdirSync(folder);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    rmSync(run, { recursive: true, force: true });
    process.exit(1);
  });
}
const folders = foldersWithTests().filter(
  (folder) => names.length === 0 || names.includes(basename(folder)),
);
const parts = Math.ceil(
  folders.reduce((sum, folder) => sum + filesIn(folder), 0) / (isLong ? LONG_PART : PART),
);
const waiting = Array.from({ length: parts }, (_, i) => `${i + 1}/${parts}`);
const failedRuns = [];
async function work() {
  for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
    const file = join(results, `${shard.replace('/', '-')}.json`);
    const own = ['--shard', shard, '--projects', ...folders, ...args.slice(end + 1)];
    if ((await runJest(own, file)) !== 0) failedRuns.push(`part ${shard}`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
summary(results, failedRuns, began);
rmSync(run, { recursive: true, force: true });
process.exitCode = failedRuns.length > 0 ? 1 : 0;
