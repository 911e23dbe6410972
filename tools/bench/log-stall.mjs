// Whether a slow disk under the log holds up the node: `npm run bench -- log-stall`
//
//   --seconds N   how long lines are written in each run (default 5)
//   --delay N     milliseconds that each write to the slow disk takes (default 100)
//   --rounds N    runs of each kind, in turn (default 3)
//
// A child process writes 2,000 lines a second with the log of the daemon. A shim makes each write(2) to the log file sleep. Printed
// are the longest and the 99th percentile of the calls of the logger, and by how much timers were late, on a fast disk, on a slow
// one, and on a slow one with lines that are written synchronously, as a baseline. Needs Linux and a C compiler.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './median.mjs';

const CHILD = fileURLToPath(new URL('./log-stall/write-lines.mjs', import.meta.url));
const SHIM = fileURLToPath(new URL('./log-stall/slow-write.c', import.meta.url));

const KINDS = [
  { name: 'fast disk', delay: false, how: 'daemon' },
  { name: 'slow disk', delay: true, how: 'daemon' },
  { name: 'slow disk, synchronous', delay: true, how: 'synchronous' },
];

/** Runs the child once; returns its figures in milliseconds. */
function runOnce({ delay, how }, { shim, folder, milliseconds, seconds }) {
  const slow = { LD_PRELOAD: shim, SLOW_WRITE_MS: String(milliseconds) };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [CHILD, join(folder, 'slow-write.log'), how, String(seconds)],
    { encoding: 'utf8', env: { ...process.env, ...(delay && slow) } },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Runs the benchmark. */
export async function logStall(args) {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '5' },
      delay: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'log-stall-'));
  try {
    const shim = join(folder, 'slow-write.so');
    execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', shim, SHIM, '-ldl']);
    const options = { shim, folder, milliseconds: values.delay, seconds: values.seconds };
    const runs = KINDS.map(() => []);
    for (let i = 0; i < Number(values.rounds); i++)
      for (const [at, kind] of KINDS.entries()) runs[at].push(runOnce(kind, options));
    console.log(`medians of ${values.rounds} runs, ms; each slow write takes ${values.delay} ms`);
    console.table(
      Object.fromEntries(
        KINDS.map(({ name }, at) => {
          const of = (field) => Number(median(runs[at].map((run) => run[field])).toFixed(2));
          return [
            name,
            {
              'longest call': of('longestCall'),
              'calls, p99': of('call99'),
              'latest timer': of('latestTimer'),
              'timers, p99': of('timer99'),
              'lines in the file': of('lines'),
            },
          ];
        }),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
