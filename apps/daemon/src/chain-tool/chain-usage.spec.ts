import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../ending/exit-codes.ts';
import { VERSION_TEXT } from '../version.ts';
import { chainUsage } from './commands.ts';

/** Runs the tool as built. */
function chain(...args: string[]) {
  const program = fileURLToPath(new URL('../../dist/chain-tool.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { status, stdout, stderr };
}

test.each(['--help', 'help', 'import --help', 'info --help'])('prints its help: %s', (line) => {
  const answer = { status: EXIT.ok, stdout: chainUsage(), stderr: '' };
  expect(chain(...line.split(' '))).toEqual(answer);
});

test.each(['--version', 'info --version'])('prints its version: %s', (line) => {
  const answer = { status: EXIT.ok, stdout: `${VERSION_TEXT}\n`, stderr: '' };
  expect(chain(...line.split(' '))).toEqual(answer);
});

test('refuses what is no command with its help', () => {
  const answer = { status: EXIT.failed, stdout: '', stderr: chainUsage() };
  expect(chain()).toEqual(answer);
  expect(chain('importing')).toEqual(answer);
});
