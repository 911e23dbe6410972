import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EXIT } from './exit-codes.ts';
import { fileLimit, fileLimitWarnings, LEAST_FILES } from './descriptor-limit.ts';

const onUnix = process.platform === 'win32' ? test.skip : test;

/** Runs a program of ours, as built, with a limit of open files. */
function runWith(limit: number, program: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`../../dist/${program}`, import.meta.url));
  const command = `ulimit -n ${limit}; exec "$0" "$@"`;
  return spawnSync('sh', ['-c', command, process.execPath, path, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

onUnix.each([
  [64, 'main.js'],
  [32, 'main.js'],
  [64, 'chain-tool.js'],
])('with %d open files, %s names the limit and what to do', (limit, program) => {
  const { status, stdout, stderr } = runWith(limit, program, '--help');
  expect(stderr).toBe(
    `This process may open only ${limit} files, and needs at least ${LEAST_FILES}: raise the limit, for example with 'ulimit -n 4096' in the shell or LimitNOFILE=4096 in the systemd unit\n`,
  );
  expect(stdout).toBe('');
  expect(status).toBe(EXIT.limit);
});

onUnix('the least number of files is enough to load the program', () => {
  // The level is read by the code of the node, after all of it was loaded.
  const { status, stderr } = runWith(LEAST_FILES, 'main.js', '--regtest', '--log-level', 'none');
  expect(stderr).toContain('Failed to parse arguments: --log-level: ');
  expect(status).toBe(EXIT.failed);
});

test('a low limit is mentioned in the log', () => {
  expect(fileLimitWarnings(1023)).toEqual([expect.stringContaining('may open only 1023 files')]);
  expect(fileLimitWarnings(1024)).toEqual([]);
  expect(fileLimitWarnings(undefined)).toEqual([]);
  expect(fileLimit() ?? Infinity).toBeGreaterThanOrEqual(LEAST_FILES);
});
