import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHAIN_COMMANDS, chainUsage } from '../chain-tool/commands.ts';
import { runProgram, NOTHING_SAID, testWith } from '../testing/programs.ts';
import { commandsWith, OWN_OPTIONS, SHARED_OPTIONS } from './chain-options.ts';

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${path}`, import.meta.url));
const MAN = pathOf('man/monero-node-chain.1');
const BASH = pathOf('completions/monero-node-chain.bash');
const ZSH = pathOf('completions/_monero-node-chain');
const FISH = pathOf('completions/monero-node-chain.fish');

test('every command and option is in the man page and in the help', () => {
  const page = readFileSync(MAN, 'utf8').replaceAll('\\-', '-');
  const usage = chainUsage('chain');
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
  expect(SHARED_OPTIONS).toHaveLength(24);
  for (const line of usage.split('\n').slice(0, 22)) expect(line.length).toBeLessThanOrEqual(120);
});

describe('the man page', () => {
  testWith('mandoc', 'has no fault that mandoc finds', () => {
    expect(runProgram('mandoc', ['-T', 'lint', '-W', 'warning', MAN]).output).not.toMatch(
      /ERROR|UNSUPP/,
    );
  });

  testWith('groff', 'has no fault that groff finds', () => {
    const { status, output } = runProgram('groff', ['-ww', '-Wbreak', '-man', '-T', 'utf8', MAN]);
    expect({ status, warnings: output.match(/(warning|error):.*/g) }).toEqual({
      status: 0,
      warnings: null,
    });
  });
});

testWith('bash', 'bash completes commands, their options, words and paths', () => {
  expect(runProgram('bash', ['-n', BASH])).toEqual(NOTHING_SAID);
  const complete = (...words: string[]): string[] => {
    const script =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _monero_node_chain; printf "%s\\n" "${COMPREPLY[@]}"';
    return runProgram('bash', ['-c', script, 'bash', BASH, 'monero-node-chain', ...words])
      .output.trim()
      .split('\n');
  };
  expect(complete('')).toEqual(CHAIN_COMMANDS.map(({ name }) => name));
  expect(complete('ver')).toEqual(['verify']);
  expect(complete('verify', '--re')).toEqual([
    '--restart',
    '--regtest',
    '--regtest-forks',
    '--read-ahead-threads',
  ]);
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
  expect(runProgram('zsh', ['-n', ZSH])).toEqual(NOTHING_SAID);
});

testWith('fish', 'fish accepts the file and completes commands and their options', () => {
  expect(runProgram('fish', ['--no-execute', FISH])).toEqual(NOTHING_SAID);
  const complete = (line: string): string[] =>
    runProgram('fish', [
      '--no-config',
      '-c',
      `source ${FISH}; complete -C "monero-node-chain ${line}"`,
    ])
      .output.trim()
      .split('\n')
      .map((offered) => offered.split('\t')[0] ?? '');
  expect(complete('ver')).toEqual(['verify']);
  expect(complete('verify --rest')).toEqual(['--restart']);
  expect(complete('info --rest')).not.toContain('--restart');
  expect(complete('import --pow-engine n')).toEqual(['native']);
});
