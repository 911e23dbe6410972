import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHAIN_COMMANDS } from '../chain-tool/commands.ts';
import { chainUsage } from '../chain-tool/chain-usage.ts';
import { commandsWith, OWN_OPTIONS, SHARED_OPTIONS } from './chain-options.ts';

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${path}`, import.meta.url));
const MAN = pathOf('man/monero-node-chain.1');
const BASH = pathOf('completions/monero-node-chain.bash');
const ZSH = pathOf('completions/_monero-node-chain');
const FISH = pathOf('completions/monero-node-chain.fish');

/** Defines a test that runs a program; where it is not installed the test is skipped with a message. */
function testWith(program: string, name: string, body: () => void): void {
  if (spawnSync(program, ['--version']).error === undefined) return test(name, body);
  process.stderr.write(`skipped: ${name}: ${program} is not installed\n`);
  test.skip(`${name} (skipped: no ${program})`, body);
}

/** Runs a program; returns its status and everything it printed. */
function run(program: string, args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
const silent = { status: 0, output: '' };

test('every command and option is in the man page and in the help', () => {
  const page = readFileSync(MAN, 'utf8').replaceAll('\\-', '-');
  const usage = chainUsage();
  for (const { forms } of CHAIN_COMMANDS) {
    for (const form of forms) {
      expect(page).toContain(`\\fB${form}\\fR`);
      expect(usage).toContain(`chain ${form} [options]\n`);
    }
  }
  for (const { name } of OWN_OPTIONS) {
    expect([name, commandsWith(name)]).not.toEqual([name, []]);
    expect(page).toContain(`\\fB--${name}\\fR`);
    expect(usage).toContain(`  --${name} `);
  }
  expect(SHARED_OPTIONS).toHaveLength(16);
  for (const line of usage.split('\n').slice(0, 22)) expect(line.length).toBeLessThanOrEqual(120);
});

describe('the man page', () => {
  testWith('mandoc', 'has no fault that mandoc finds', () => {
    expect(run('mandoc', ['-T', 'lint', '-W', 'warning', MAN]).output).not.toMatch(/ERROR|UNSUPP/);
  });

  testWith('groff', 'has no fault that groff finds', () => {
    const { status, output } = run('groff', ['-ww', '-Wbreak', '-man', '-T', 'utf8', MAN]);
    expect({ status, warnings: output.match(/(warning|error):.*/g) }).toEqual({
      status: 0,
      warnings: null,
    });
  });
});

testWith('bash', 'bash completes commands, their options, words and paths', () => {
  expect(run('bash', ['-n', BASH])).toEqual(silent);
  const complete = (...words: string[]): string[] => {
    const script =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _monero_node_chain; printf "%s\\n" "${COMPREPLY[@]}"';
    return run('bash', ['-c', script, 'bash', BASH, 'monero-node-chain', ...words])
      .output.trim()
      .split('\n');
  };
  expect(complete('')).toEqual(CHAIN_COMMANDS.map(({ name }) => name));
  expect(complete('ver')).toEqual(['verify']);
  expect(complete('verify', '--re')).toEqual(['--restart', '--regtest']);
  expect(complete('export', '--bl')).toEqual([
    '--block-start',
    '--block-stop',
    '--block-hashes-file',
  ]);
  expect(complete('import', '--pow-engine', '=', 'n')).toEqual(['native']);
  expect(complete('backup', pathOf('ma'))).toEqual([pathOf('man')]);
  expect(complete('import', '--input-file', BASH.slice(0, -2))).toEqual([BASH]);
  expect(complete('export', '--block-stop', '1')).toEqual(['']);
});

testWith('zsh', 'zsh accepts the file', () => {
  expect(run('zsh', ['-n', ZSH])).toEqual(silent);
});

testWith('fish', 'fish accepts the file and completes commands and their options', () => {
  expect(run('fish', ['--no-execute', FISH])).toEqual(silent);
  const complete = (line: string): string[] =>
    run('fish', ['--no-config', '-c', `source ${FISH}; complete -C "monero-node-chain ${line}"`])
      .output.trim()
      .split('\n')
      .map((offered) => offered.split('\t')[0] ?? '');
  expect(complete('ver')).toEqual(['verify']);
  expect(complete('verify --rest')).toEqual(['--restart']);
  expect(complete('info --rest')).not.toContain('--restart');
  expect(complete('import --pow-engine n')).toEqual(['native']);
});
